// Command gocni gives pods their network as containerd does, with the library containerd embeds. It reads one request from
// stdin and prints one JSON line for each command: what go-cni made of the plugins' answers.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	gocni "github.com/containerd/go-cni"
	"github.com/containernetworking/cni/libcni"
)

type request struct {
	Conflist json.RawMessage `json:"conflist"`
	Path     []string        `json:"path"`
	CacheDir string          `json:"cacheDir"`
	ID       string          `json:"id"`
	NetNS    string          `json:"netns"`
	// What containerd's CRI hands over for a pod; absent ones are not handed over at all.
	Labels       map[string]string   `json:"labels"`
	Annotations  map[string]string   `json:"annotations"`
	PortMappings []gocni.PortMapping `json:"portMappings"`
	BandWidth    *gocni.BandWidth    `json:"bandwidth"`
	DNS          *gocni.DNS          `json:"dns"`
	// Commands are setup, check, remove and remove-without-netns, in the order they are run.
	Commands []string `json:"commands"`
}

type answer struct {
	Command string        `json:"command"`
	Result  *gocni.Result `json:"result,omitempty"`
	Error   string        `json:"error,omitempty"`
}

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
	libcni.CacheDir = r.CacheDir
	cni, err := gocni.New(gocni.WithPluginDir(r.Path), gocni.WithConfListBytes(r.Conflist))
	if err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	for _, command := range r.Commands {
		a := answer{Command: command}
		if err := execute(cni, &r, &a); err != nil {
			a.Error = err.Error()
		}
		if err := out.Encode(a); err != nil {
			return err
		}
	}
	return nil
}

func execute(cni gocni.CNI, r *request, a *answer) (err error) {
	ctx := context.Background()
	switch a.Command {
	case "setup":
		a.Result, err = cni.Setup(ctx, r.ID, r.NetNS, options(r)...)
		return err
	case "check":
		return cni.Check(ctx, r.ID, r.NetNS, options(r)...)
	case "remove":
		return cni.Remove(ctx, r.ID, r.NetNS, options(r)...)
	case "remove-without-netns":
		return cni.Remove(ctx, r.ID, "", options(r)...)
	}
	return fmt.Errorf("no such command: %s", a.Command)
}

func options(r *request) []gocni.NamespaceOpts {
	options := []gocni.NamespaceOpts{gocni.WithLabels(r.Labels)}
	if r.Annotations != nil {
		options = append(options, gocni.WithCapability("io.kubernetes.cri.pod-annotations", r.Annotations))
	}
	if r.PortMappings != nil {
		options = append(options, gocni.WithCapabilityPortMap(r.PortMappings))
	}
	if r.BandWidth != nil {
		options = append(options, gocni.WithCapabilityBandWidth(*r.BandWidth))
	}
	if r.DNS != nil {
		options = append(options, gocni.WithCapabilityDNS(*r.DNS))
	}
	return options
}
