/** Where everything unpredictable comes from, passed in so that tests can say what it is. */
export class Randomness {
  constructor(
    /** A new id: UUIDv7, so rows are stored about in the order of time. */
    readonly newId: () => string,
    /** An ending for a slug that nobody else has: 8 characters of 0–9 and a–f. */
    readonly slugEnding: () => string,
  ) {}
}
