import type { DeviceLogins } from '@bearing/contracts/principal'
import type { SessionLimits } from '../../ground/rules/session-end.js'
import { SETTINGS } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import type { Settings } from '../../config.js'

/** Lifetime of a session as a multiple of the time that it may be idle: 7 days with the default of 12 hours. */
const LIFETIMES_IDLE = 14

/** Lifetimes of sessions, and those that command lines may have. */
@Injectable()
export class SessionSettings implements SessionLimits {
  readonly idleMs: number
  readonly lifetimeMs: number
  readonly deviceLogins: DeviceLogins

  constructor(@Inject(SETTINGS) { SESSION_IDLE_S, DEVICE_LOGINS }: Settings) {
    this.idleMs = SESSION_IDLE_S * 1_000
    this.lifetimeMs = LIFETIMES_IDLE * this.idleMs
    this.deviceLogins = DEVICE_LOGINS
  }
}
