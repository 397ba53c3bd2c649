using System;
using System.ComponentModel;
using System.Runtime.InteropServices;
using System.Text;

/// <summary>Devices without hardware, as devcon install makes them.
/// https://learn.microsoft.com/windows-hardware/drivers/install/creating-a-device-information-set</summary>
public static class RootDevice
{
    const uint GenerateId = 0x1;
    const uint HardwareIdProperty = 0x1;
    const uint RegisterDevice = 0x19;
    const uint RemoveDevice = 0x5;
    const uint Force = 0x1;
    static readonly IntPtr InvalidHandle = new IntPtr(-1);
    static readonly Guid NetworkAdapters = new Guid("4d36e972-e325-11ce-bfc1-08002be10318");

    [StructLayout(LayoutKind.Sequential)]
    struct DeviceInfoData
    {
        public int Size;
        public Guid ClassGuid;
        public uint DeviceInstance;
        public IntPtr Reserved;
    }

    /// <summary>Creates a network adapter with this hardware ID, installs its driver, and returns its instance ID.
    /// Leaves no device if the driver cannot be installed.</summary>
    public static string CreateNetworkAdapter(string hardwareId, string infPath)
    {
        Guid classGuid = NetworkAdapters;
        IntPtr set = SetupDiCreateDeviceInfoList(ref classGuid, IntPtr.Zero);
        if (set == InvalidHandle) throw Failure("SetupDiCreateDeviceInfoList");
        try
        {
            DeviceInfoData device = new DeviceInfoData();
            device.Size = Marshal.SizeOf(typeof(DeviceInfoData));
            Check(SetupDiCreateDeviceInfoW(set, "Net", ref classGuid, null, IntPtr.Zero, GenerateId, ref device), "SetupDiCreateDeviceInfoW");
            byte[] ids = Encoding.Unicode.GetBytes(hardwareId + "\0\0");
            Check(SetupDiSetDeviceRegistryPropertyW(set, ref device, HardwareIdProperty, ids, (uint)ids.Length), "SetupDiSetDeviceRegistryPropertyW");
            Check(SetupDiCallClassInstaller(RegisterDevice, set, ref device), "SetupDiCallClassInstaller(DIF_REGISTERDEVICE)");
            try
            {
                bool restart;
                Check(UpdateDriverForPlugAndPlayDevicesW(IntPtr.Zero, hardwareId, infPath, Force, out restart), "UpdateDriverForPlugAndPlayDevicesW");
                StringBuilder instanceId = new StringBuilder(256);
                Check(SetupDiGetDeviceInstanceIdW(set, ref device, instanceId, (uint)instanceId.Capacity, IntPtr.Zero), "SetupDiGetDeviceInstanceIdW");
                return instanceId.ToString();
            }
            catch
            {
                SetupDiCallClassInstaller(RemoveDevice, set, ref device);
                throw;
            }
        }
        finally
        {
            SetupDiDestroyDeviceInfoList(set);
        }
    }

    static void Check(bool succeeded, string function)
    {
        if (!succeeded) throw Failure(function);
    }

    static Exception Failure(string function)
    {
        int error = Marshal.GetLastWin32Error();
        return new Win32Exception(error, function + ": " + new Win32Exception(error).Message);
    }

    [DllImport("setupapi.dll", SetLastError = true)]
    static extern IntPtr SetupDiCreateDeviceInfoList(ref Guid classGuid, IntPtr parent);

    [DllImport("setupapi.dll", CharSet = CharSet.Unicode, SetLastError = true)]
    static extern bool SetupDiCreateDeviceInfoW(IntPtr set, string name, ref Guid classGuid, string description, IntPtr parent, uint flags, ref DeviceInfoData device);

    [DllImport("setupapi.dll", SetLastError = true)]
    static extern bool SetupDiSetDeviceRegistryPropertyW(IntPtr set, ref DeviceInfoData device, uint property, byte[] value, uint size);

    [DllImport("setupapi.dll", SetLastError = true)]
    static extern bool SetupDiCallClassInstaller(uint function, IntPtr set, ref DeviceInfoData device);

    [DllImport("setupapi.dll", CharSet = CharSet.Unicode, SetLastError = true)]
    static extern bool SetupDiGetDeviceInstanceIdW(IntPtr set, ref DeviceInfoData device, StringBuilder instanceId, uint size, IntPtr requiredSize);

    [DllImport("setupapi.dll", SetLastError = true)]
    static extern bool SetupDiDestroyDeviceInfoList(IntPtr set);

    [DllImport("newdev.dll", CharSet = CharSet.Unicode, SetLastError = true)]
    static extern bool UpdateDriverForPlugAndPlayDevicesW(IntPtr parent, string hardwareId, string infPath, uint flags, out bool restart);
}
