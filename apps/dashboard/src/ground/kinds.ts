import { FILE_KINDS, type FileKind } from '@bearing/contracts/management/data/file'
import type { SAMPLING_ASPECTS } from '@bearing/contracts/management/devices/sampling'

/** Names of the kinds of files. */
export const KIND_TEXTS: Readonly<Record<FileKind, string>> = {
  coredump: 'Coredump',
  elf_coredump: 'ELF coredump',
  bugreport: 'Bug report',
  mar: 'MAR',
  'custom-data-recording': 'Recording',
  symbols: 'Symbols',
}

export const KINDS = FILE_KINDS

/** The operations that make a file of a kind. */
export const COMMITS = {
  coredump: 'commitCoredump',
  elf_coredump: 'commitElfCoredump',
  bugreport: 'commitBugreport',
  mar: 'commitMar',
  'custom-data-recording': 'commitRecording',
  symbols: 'commitSymbols',
} as const satisfies Record<FileKind, string>

export type Aspect = (typeof SAMPLING_ASPECTS)[number]

/** Names of the aspects of sampling. */
export const ASPECTS: Readonly<Record<Aspect, string>> = {
  debugging: 'Coredumps, traces and recordings',
  logging: 'Logs',
  monitoring: 'Metrics and attributes',
}
