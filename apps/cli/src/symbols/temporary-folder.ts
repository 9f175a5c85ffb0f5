import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder that only this user can enter, and that goes with all in it. It is made when it is needed. */
export class TemporaryFolder implements AsyncDisposable {
  private made: Promise<string> | undefined
  private files = 0

  /** A path in it that nothing has yet. */
  async newPath(): Promise<string> {
    this.made ??= mkdtemp(join(tmpdir(), 'bearing-'))
    return join(await this.made, String(this.files++))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.made) await rm(await this.made, { recursive: true, force: true })
  }
}
