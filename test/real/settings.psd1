# The versions, names and addresses of a test node. All downloads are listed here.
@{
    # The name of the service, the adapter and the folders, and the start of all other names.
    Name = 'win-hcn-real'
    Pipe = 'win-hcn-real-containerd'

    Containerd = @{
        # 2.3.0 breaks Hyper-V containers: https://github.com/containerd/containerd/issues/13254
        Url = 'https://github.com/containerd/containerd/releases/download/v2.2.5/containerd-2.2.5-windows-amd64.tar.gz'
        Sha256 = '8724c3a873b4984f5ee092c8f15c1a98ebbb0f968106cf8f5849ea100f3a0236'
    }
    Crictl = @{
        Url = 'https://github.com/kubernetes-sigs/cri-tools/releases/download/v1.36.0/crictl-v1.36.0-windows-amd64.tar.gz'
        # Not pinned: the release's own checksum file.
        Sha256Url = 'https://github.com/kubernetes-sigs/cri-tools/releases/download/v1.36.0/crictl-v1.36.0-windows-amd64.tar.gz.sha256'
    }

    # The first version with an image for Windows Server 2025.
    PauseImage = 'registry.k8s.io/pause:3.10.2'
    # By build of the node. Windows Server 2025 runs containers of 2022 with process isolation; its own image can be newer than the node,
    # which Windows refuses (0xc0370106).
    PodImages = @{
        '20348' = 'mcr.microsoft.com/windows/nanoserver:ltsc2022'
        '26100' = 'mcr.microsoft.com/windows/nanoserver:ltsc2022'
    }

    # The loopback adapter's address, and a gateway that no host has. The conflist's subnet is another one.
    AdapterAddress = '10.251.41.1'
    AdapterPrefixLength = 24
    AdapterGateway = '10.251.41.254'
}
