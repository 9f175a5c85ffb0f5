const FIRST_S = 6

/**
 * Creates something that expires, and checks it before it does: with ever longer lifetimes, until a machine that is busy
 * has done so in time.
 *
 * @param make makes one that ends after so many seconds, and looks at it; what it finds counts if it is not over by then
 */
export async function inTime<Made extends { readonly endsMs: number }>(
  make: (seconds: number) => Promise<Made>,
): Promise<Made> {
  for (let seconds = FIRST_S; ; seconds *= 3) {
    const made = await make(seconds)
    if (Date.now() < made.endsMs) return made
  }
}
