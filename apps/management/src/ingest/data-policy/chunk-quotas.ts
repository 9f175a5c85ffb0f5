/** The operator's limits of chunk bytes per day (UTC); null for no limit. */
export class ChunkQuotas {
  constructor(
    readonly ofProject: number | null,
    readonly ofOrganization: number | null,
  ) {}
}
