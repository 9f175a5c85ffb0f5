import type { DeviceLogins } from '@bearing/contracts/principal'
import type { SessionLimits } from '../../ground/rules/session-end.js'

/** Lifetime of a session as a multiple of the time that it may be idle: 7 days with the default of 12 hours. */
const LIFETIMES_IDLE = 14

/** Lifetimes of sessions, and those that command lines may have. */
export class SessionSettings implements SessionLimits {
  readonly lifetimeMs: number

  constructor(
    readonly idleMs: number,
    readonly deviceLogins: DeviceLogins,
  ) {
    this.lifetimeMs = LIFETIMES_IDLE * idleMs
  }
}
