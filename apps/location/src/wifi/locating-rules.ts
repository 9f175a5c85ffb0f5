import type { LocateOptions } from '../positioning/locate.js'

/** How scans are located, as the operator has set it. */
export class LocatingRules implements LocateOptions {
  constructor(readonly minAccessPoints: number) {}
}
