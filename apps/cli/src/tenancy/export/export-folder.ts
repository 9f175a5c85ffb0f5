import { createHash } from 'node:crypto'
import { mkdir, readFile, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { toFile } from '../../ground/output/destination.js'
import { UsageError } from '../../ground/usage-error.js'

const FORMAT = 'bearing-organization-export-v1'
const MANIFEST = 'manifest.json'
/** Rows of one write. */
const ROWS_PER_WRITE = 500

/** A complete file of an export. */
export interface ExportedFile {
  /** Relative to the folder. */
  readonly path: string
  readonly items: number
  readonly bytes: number
  /** In hexadecimal. */
  readonly sha256: string
}

/** Contents of an export. */
export interface Manifest {
  readonly format: typeof FORMAT
  readonly organization_id: string
  readonly started_at: string
  /** Null: the export is not complete. The same command continues it. */
  completed_at: string | null
  readonly files: ExportedFile[]
  /** Files that are missing, with the error code. */
  left_out: { path: string; code: string }[]
}

/** The folder of an export: files that only this user can read, and a manifest that is written after each of them. */
export class ExportFolder {
  private constructor(
    private readonly folder: string,
    readonly manifest: Manifest,
  ) {}

  /**
   * Creates a folder, or opens that of an export that is not complete.
   *
   * @throws UsageError if it contains something else
   */
  static async open(folder: string, organizationId: string, now: Date): Promise<ExportFolder> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const manifest = await readManifest(folder)
    if (!manifest) {
      if ((await readdir(folder)).length > 0)
        throw new UsageError(`${folder} is not empty and contains no export.`, 'Use another --output.')
      return new ExportFolder(folder, {
        format: FORMAT,
        organization_id: organizationId,
        started_at: now.toISOString(),
        completed_at: null,
        files: [],
        left_out: [],
      })
    }
    if (manifest.organization_id !== organizationId)
      throw new UsageError(`${folder} contains an export of another organization.`, 'Use another --output.')
    if (manifest.completed_at !== null)
      throw new UsageError(`${folder} contains a complete export.`, 'Use another --output.')
    return new ExportFolder(folder, { ...manifest, left_out: [] })
  }

  pathOf(path: string): string {
    return join(this.folder, path)
  }

  /** Returns whether a file was completed by an earlier run. */
  async has(path: string): Promise<boolean> {
    const known = this.manifest.files.find((file) => file.path === path)
    if (!known) return false
    const found = await stat(this.pathOf(path)).catch(() => undefined)
    return found?.size === known.bytes
  }

  /**
   * Writes a file. It appears when it is complete.
   *
   * @param lines of the file, without their ends
   * @param items how many items the lines are (default: as many as lines)
   */
  async write(path: string, lines: AsyncIterable<string>, items?: number): Promise<ExportedFile> {
    const target = this.pathOf(path)
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    const hash = createHash('sha256')
    let count = 0
    let bytes = 0
    await toFile(target, async (file) => {
      let piece: string[] = []
      const flush = async () => {
        const text = Buffer.from(piece.join(''))
        piece = []
        hash.update(text)
        bytes += text.length
        await file.appendFile(text)
      }
      for await (const line of lines) {
        count++
        piece.push(`${line}\n`)
        if (piece.length === ROWS_PER_WRITE) await flush()
      }
      await flush()
    })
    const written = { path, items: items ?? count, bytes, sha256: hash.digest('hex') }
    const { files } = this.manifest
    const at = files.findIndex((file) => file.path === path)
    files.splice(at === -1 ? files.length : at, 1, written)
    await this.save()
    return written
  }

  async leaveOut(path: string, code: string): Promise<void> {
    this.manifest.left_out.push({ path, code })
    await this.save()
  }

  /** Ends the export; it is complete if nothing was left out. */
  async end(now: Date): Promise<Manifest> {
    if (this.manifest.left_out.length === 0) this.manifest.completed_at = now.toISOString()
    await this.save()
    return this.manifest
  }

  private save(): Promise<void> {
    const text = `${JSON.stringify(this.manifest, null, 2)}\n`
    return toFile(this.pathOf(MANIFEST), (file) => file.appendFile(text))
  }
}

async function readManifest(folder: string): Promise<Manifest | undefined> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    const manifest = JSON.parse(text) as Manifest // written by `save`
    // From another version or program.
    if ((manifest.format as string) === FORMAT && Array.isArray(manifest.files)) return manifest
  } catch {
    // Not JSON.
  }
  throw new UsageError(`${join(folder, MANIFEST)} is not the manifest of an export.`, 'Use another --output.')
}
