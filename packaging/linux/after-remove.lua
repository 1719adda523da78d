-- Takes away the link that after-install.lua made, but not when another version of this package stays.
if tonumber(arg[2]) == 0 and posix.readlink("/usr/bin/sheaf") == "../../opt/${sanitizedProductName}/cli/bin/sheaf" then
  os.remove("/usr/bin/sheaf")
end
