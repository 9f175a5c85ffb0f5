import { stopSharedStack } from './shared-stack.js'

/** Stops the shared stack after the last suite. */
export default async function tearDown(): Promise<void> {
  await stopSharedStack()
}
