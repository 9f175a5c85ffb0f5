/** How scans are located, as the operator has set it. */
export class LocatingRules {
  /** @param minRadios radios that a scan needs, and that have to be known and agree where they are not one's own */
  constructor(readonly minRadios: number) {}
}
