import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A private temporary folder, created when needed and removed with its content. */
export class TemporaryFolder implements AsyncDisposable {
  private made: Promise<string> | undefined
  private files = 0

  /** Returns an unused path in it. */
  async newPath(): Promise<string> {
    this.made ??= mkdtemp(join(tmpdir(), 'bearing-'))
    return join(await this.made, String(this.files++))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.made) await rm(await this.made, { recursive: true, force: true })
  }
}
