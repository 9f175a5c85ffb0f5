import { open } from 'node:fs/promises'
import type { CallInput } from '@bearing/client/call-types'
import { verb } from '../../session/verb.js'
import { retryTransient } from '@bearing/client/retry-transient'
import type { Session } from '../../session/session.js'
import { JOBS, uploadAll } from './upload-all.js'
import { digestsOf, namedFile, type LocalFile } from './local-file.js'
import { type Putting, onServer, type Uploaded, uploadFile, type UploadTarget } from './put-file.js'
import { oneOf } from '../../ground/arguments.js'
import { unreadable } from '../../ground/usage-error.js'

const KINDS = ['coredump', 'elf_coredump'] as const
type Kind = (typeof KINDS)[number]

interface Flags {
  readonly kind?: Kind | undefined
  readonly device?: string | undefined
  readonly hardwareVersion?: string | undefined
  readonly softwareType?: string | undefined
  readonly softwareVersion?: string | undefined
  readonly jobs: number
}

verb('coredumps upload', {
  about: 'upload coredumps; with a project key, an organization token or as a user',
  takes: {
    '<files...>': 'one file for each coredump',
    '--kind <kind>': oneOf('kind of the files (default: elf_coredump for ELF files, else coredump)', KINDS),
    '-d, --device <serial>': 'serial number of the device',
    '--hardware-version <version>': 'hardware version of the device',
    '--software-type <type>': 'software type of the device',
    '--software-version <version>': 'software version of the device',
    ...JOBS,
  },
  help: `With a token or as a user, what the project has already is not uploaded again. A project key may not look, and uploading the
same file twice makes one file.`,
  examples: ['core.bin --device DEVICE-0001'],
  run: async (cli, { files: paths, ...flags }) => {
    // Opens all files first, to report a mistyped name before anything is sent.
    const files: LocalFile[] = []
    for (const path of paths) files.push(await namedFile(path))
    const session = await cli.session()
    await uploadAll(cli, {
      files,
      jobs: flags.jobs,
      upload: (file, putting) => uploadOne(session, file, flags, putting),
    })
  },
})

async function uploadOne(
  session: Session,
  file: LocalFile,
  flags: Flags,
  putting: Putting,
): Promise<Uploaded> {
  const kind = flags.kind ?? (await kindOf(file))
  const digests = await digestsOf(file, putting.signal)
  const there = await find(
    session,
    { kind, sha256: digests.sha256, device_serial: flags.device },
    putting.signal,
  )
  if (there) return onServer(file, there, 'already_there')
  const target = targetFor(session, kind, flags)
  return onServer(file, await uploadFile({ ...file, ...digests }, target, putting), null)
}

/** The same content of another device is another file. */
async function find(
  session: Session,
  file: { kind: Kind; sha256: string; device_serial: string | undefined },
  signal: AbortSignal,
) {
  if (session.selected.credential.kind === 'project_key') return undefined
  const { client, organization, project } = session
  const asked = { organization, project, ...file, per_page: 1 }
  const { data } = await retryTransient(signal, () => client.call('listFiles', asked, { signal }))
  return data[0]
}

function targetFor(session: Session, kind: Kind, flags: Flags): UploadTarget {
  const { client, selected } = session
  const device = deviceOf(flags)
  if (selected.credential.kind === 'project_key') {
    const commit = kind === 'coredump' ? 'commitDeviceCoredump' : 'commitDeviceElfCoredump'
    return {
      prepare: (size, signal) =>
        client.call('prepareDeviceUpload', { kind, size, device } as CallInput<'prepareDeviceUpload'>, {
          signal,
        }),
      commit: (file, signal) => client.call(commit, { file, device } as CallInput<typeof commit>, { signal }), // like that
    }
  }
  const where = { organization: session.organization, project: session.project, kind, device }
  const commit = kind === 'coredump' ? 'commitCoredump' : 'commitElfCoredump'
  return {
    prepare: (size, signal) => client.call('prepareUpload', { ...where, size }, { signal }),
    commit: (file, signal) => client.call(commit, { ...where, file }, { signal }),
  }
}

function deviceOf(flags: Flags): Record<string, string> | undefined {
  const facts = Object.entries({
    device_serial: flags.device,
    hardware_version: flags.hardwareVersion,
    software_type: flags.softwareType,
    software_version: flags.softwareVersion,
  }).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  return facts.length === 0 ? undefined : Object.fromEntries(facts)
}

/** Detected by the first bytes, because file names are unreliable. */
async function kindOf({ name, path }: LocalFile): Promise<Kind> {
  try {
    await using file = await open(path)
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0)
    return buffer.readUInt32BE(0) === 0x7f454c46 ? 'elf_coredump' : 'coredump'
  } catch (error) {
    throw unreadable(name, error)
  }
}
