import type { DeviceLogins } from '@bearing/contracts/principal'
import type { SessionLimits } from '../../ground/rules/session-end.js'
import { SETTINGS } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import type { Settings } from '../../config.js'

/** Lifetimes of sessions, and those that command lines may have. */
@Injectable()
export class SessionSettings implements SessionLimits {
  readonly idleMs: number
  readonly lifetimeMs: number
  readonly deviceLogins: DeviceLogins

  constructor(@Inject(SETTINGS) { SESSION_IDLE_S, SESSION_LIFETIME_S, DEVICE_LOGINS }: Settings) {
    this.idleMs = SESSION_IDLE_S * 1_000
    this.lifetimeMs = SESSION_LIFETIME_S * 1_000
    this.deviceLogins = DEVICE_LOGINS
  }
}
