/** Where ids come from, passed in so that tests can say what they are. */
export class Identifiers {
  constructor(
    /** A new id: UUIDv7, so rows are stored about in the order of time. */
    readonly newId: () => string,
  ) {}
}
