// Command libcni runs CNI commands as a container runtime does that embeds libcni. It reads one request from stdin and
// prints one JSON line for each command: what libcni made of the plugin's answer.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/containernetworking/cni/libcni"
	"github.com/containernetworking/cni/pkg/types"
	types100 "github.com/containernetworking/cni/pkg/types/100"
)

type request struct {
	Conflist       json.RawMessage        `json:"conflist"`
	Path           []string               `json:"path"`
	CacheDir       string                 `json:"cacheDir"`
	ContainerID    string                 `json:"containerId"`
	NetNS          string                 `json:"netns"`
	IfName         string                 `json:"ifname"`
	Args           [][2]string            `json:"args"`
	CapabilityArgs map[string]interface{} `json:"capabilityArgs"`
	// ValidAttachments are those that gc leaves alone.
	ValidAttachments json.RawMessage `json:"validAttachments"`
	// Commands are add, check, del, del-without-netns and version, in the order they are run; and those of newer.
	Commands []string `json:"commands"`
}

type answer struct {
	Command string `json:"command"`
	// Result is in the version of the conflist, Result100 in the newest of that shape: 1.0.0, or 1.1.0 with a newer libcni.
	Result    types.Result     `json:"result,omitempty"`
	Result100 *types100.Result `json:"result100,omitempty"`
	// Versions are those that version found the first plugin to support.
	Versions []string `json:"versions,omitempty"`
	Error    *failure `json:"error,omitempty"`
}

// failure is what a runtime would log, and the plugin's own error where libcni found one in it.
type failure struct {
	Text   string       `json:"text"`
	Plugin *types.Error `json:"plugin,omitempty"`
}

// newer are the commands that only a newer libcni has.
var newer = map[string]func(context.Context, *libcni.CNIConfig, *libcni.NetworkConfigList, *request) error{}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	var r request
	if err := json.NewDecoder(os.Stdin).Decode(&r); err != nil {
		return fmt.Errorf("cannot read the request: %w", err)
	}
	if r.CacheDir == "" {
		return errors.New("the request names no cacheDir")
	}
	list, err := libcni.ConfListFromBytes(r.Conflist)
	if err != nil {
		return err
	}
	cni := libcni.NewCNIConfigWithCacheDir(r.Path, r.CacheDir, nil)
	out := json.NewEncoder(os.Stdout)
	for _, command := range r.Commands {
		a := answer{Command: command}
		if err := execute(cni, list, &r, &a); err != nil {
			a.Error = &failure{Text: err.Error()}
			errors.As(err, &a.Error.Plugin)
		}
		if err := out.Encode(a); err != nil {
			return err
		}
	}
	return nil
}

func execute(cni *libcni.CNIConfig, list *libcni.NetworkConfigList, r *request, a *answer) error {
	ctx := context.Background()
	rt := &libcni.RuntimeConf{
		ContainerID:    r.ContainerID,
		NetNS:          r.NetNS,
		IfName:         r.IfName,
		Args:           r.Args,
		CapabilityArgs: r.CapabilityArgs,
	}
	switch a.Command {
	case "add":
		result, err := cni.AddNetworkList(ctx, list, rt)
		if err != nil {
			return err
		}
		if a.Result100, err = types100.GetResult(result); err != nil {
			return err
		}
		a.Result, err = result.GetAsVersion(list.CNIVersion)
		return err
	case "check":
		return cni.CheckNetworkList(ctx, list, rt)
	case "del":
		return cni.DelNetworkList(ctx, list, rt)
	case "del-without-netns":
		rt.NetNS = ""
		return cni.DelNetworkList(ctx, list, rt)
	case "version":
		info, err := cni.GetVersionInfo(ctx, list.Plugins[0].Network.Type)
		if err == nil {
			a.Versions = info.SupportedVersions()
		}
		return err
	}
	if command, ok := newer[a.Command]; ok {
		return command(ctx, cni, list, r)
	}
	return fmt.Errorf("no such command: %s", a.Command)
}
