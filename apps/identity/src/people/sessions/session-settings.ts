import type { SessionLimits } from '../../ground/rules/session-end.js'

/** When sessions end. A class, so that it can be asked for by its type. */
export class SessionSettings implements SessionLimits {
  constructor(
    readonly idleMs: number,
    readonly lifetimeMs: number,
  ) {}
}
