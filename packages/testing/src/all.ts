/** Waits for all, even if one fails: nothing may still be starting while the rest is stopped. */
export async function all<const Work extends readonly Promise<unknown>[]>(
  work: Work,
): Promise<{ -readonly [Index in keyof Work]: Awaited<Work[Index]> }> {
  await Promise.allSettled(work)
  return await Promise.all(work)
}
