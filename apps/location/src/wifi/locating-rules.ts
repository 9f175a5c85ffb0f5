import type { LocateOptions } from '@bearing/positioning/locate'

/** How scans are located, as the operator has set it. */
export class LocatingRules implements LocateOptions {
  constructor(readonly minAccessPoints: number) {}
}
