//go:build newer

package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/containernetworking/cni/libcni"
	"github.com/containernetworking/cni/pkg/types"
)

func init() {
	newer["status"] = func(ctx context.Context, cni *libcni.CNIConfig, list *libcni.NetworkConfigList, _ *request) error {
		return cni.GetStatusNetworkList(ctx, list)
	}
	newer["gc"] = func(ctx context.Context, cni *libcni.CNIConfig, list *libcni.NetworkConfigList, r *request) error {
		var valid []types.GCAttachment
		if err := json.Unmarshal(r.ValidAttachments, &valid); err != nil {
			return fmt.Errorf("cannot read the valid attachments: %w", err)
		}
		return cni.GCNetworkList(ctx, list, &libcni.GCArgs{ValidAttachments: valid})
	}
}
