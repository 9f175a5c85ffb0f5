/** The most bytes of chunks in a day (UTC) that the operator allows; null for any number. */
export class ChunkQuotas {
  constructor(
    readonly ofProject: number | null,
    readonly ofOrganization: number | null,
  ) {}
}
