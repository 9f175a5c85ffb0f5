import type { SessionLimits } from '../../ground/rules/session-end.js'

/** When sessions end. */
export class SessionSettings implements SessionLimits {
  constructor(
    readonly idleMs: number,
    readonly lifetimeMs: number,
  ) {}
}
