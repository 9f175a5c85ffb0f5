import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isRunning } from './hosts.js'

const run = promisify(execFile)

/** Folders of this package, by the process that made them. */
const OURS = /\/bearing-hosts-(\d+)-/

/** A disk of its own for one process, small enough to be filled: a file system in memory. Needs root. */
export class SmallDisk {
  private constructor(private readonly path: string) {}

  /** @param path folder that becomes the disk; made if missing, and in a folder named `bearing-hosts-<pid>-…` */
  static async mount(path: string, mebibytes: number): Promise<SmallDisk> {
    await unmountLeftOver()
    await mkdir(path, { recursive: true })
    await run('mount', ['-t', 'tmpfs', '-o', `size=${String(mebibytes)}m`, 'tmpfs', path])
    return new SmallDisk(path)
  }

  /** Takes all the room that is left. */
  async fill(): Promise<void> {
    const { bavail, bsize } = await statfs(this.path)
    await writeFile(this.filler, Buffer.alloc(bavail * bsize)).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    })
  }

  /** Gives the room back. */
  async clear(): Promise<void> {
    await rm(this.filler, { force: true })
  }

  /** Removes the disk. End its processes first. */
  async unmount(): Promise<void> {
    await run('umount', [this.path])
  }

  private get filler(): string {
    return join(this.path, 'filler')
  }
}

/** Unmounts the disks of test runs that were killed. */
async function unmountLeftOver(): Promise<void> {
  for (const line of (await readFile('/proc/mounts', 'utf8')).split('\n')) {
    const [, path = ''] = line.split(' ')
    const [, pid] = OURS.exec(path) ?? []
    if (pid !== undefined && !isRunning(Number(pid))) await run('umount', [path]).catch(() => undefined)
  }
}
