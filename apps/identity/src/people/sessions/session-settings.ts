import type { DeviceLogins } from '@bearing/contracts/principal'
import type { SessionLimits } from '../../ground/rules/session-end.js'

/** When sessions end, and which of them command lines may have. */
export class SessionSettings implements SessionLimits {
  constructor(
    readonly idleMs: number,
    readonly lifetimeMs: number,
    readonly deviceLogins: DeviceLogins,
  ) {}
}
