import { acceptsDeviceLogin } from '@bearing/access/device-logins'
import { OperationError } from '@bearing/contracts/errors'
import { Injectable } from '@nestjs/common'
import { SessionSettings } from '../sessions/session-settings.js'

/** Applies DEVICE_LOGINS to every step of a login. CheckSession applies it to the sessions. */
@Injectable()
export class DeviceLoginRule {
  constructor(private readonly settings: SessionSettings) {}

  /** @throws OperationError `device_login_refused` if logins are switched off */
  checkAny(): void {
    this.check(true)
  }

  /** @throws OperationError `device_login_refused` if a login that was asked for and allowed from these networks is refused */
  check(isSameNetwork: boolean): void {
    const { deviceLogins } = this.settings
    if (acceptsDeviceLogin(deviceLogins, isSameNetwork)) return
    throw new OperationError(
      'device_login_refused',
      deviceLogins === 'same-network'
        ? 'The command line asked from another network than this browser. Run "bearing login" in the same network, or use an API key or an organization auth token.'
        : 'This installation does not sign in command lines through the browser. Use an API key or an organization auth token.',
    )
  }
}
