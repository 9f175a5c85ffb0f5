import type { DeviceLogins, UserPrincipal } from '@bearing/contracts/principal'

/** Returns whether a rule accepts a sign-in of a command line. A rule that only a newer version knows accepts none. */
export function acceptsDeviceLogin(rule: DeviceLogins, isSameNetwork: boolean): boolean {
  return rule === 'on' || (rule === 'same-network' && isSameNetwork)
}

/** Returns whether a rule accepts a user. Other credentials than sessions of command lines are not its subject. */
export function acceptsUser(rule: DeviceLogins, { proof, device_login: login }: UserPrincipal): boolean {
  if (proof !== 'session' || login === null) return true
  // Earlier versions of identity do not say which sessions are of command lines.
  return acceptsDeviceLogin(rule, login?.same_network ?? false)
}
