import { ORGANIZATION_TOKEN_PERMISSIONS } from '@bearing/access/roles'
import type { Permission } from '@bearing/contracts/permission'

/** What most tokens are for. */
export interface Preset {
  readonly id: string
  readonly text: string
  readonly hint: string
  /** Undefined: everything that a token can do. */
  readonly permissions: readonly Permission[] | undefined
}

export const PRESETS: readonly Preset[] = [
  {
    id: 'locate',
    text: 'Locations only',
    hint: 'Asks for positions. It reads nothing else.',
    permissions: ['location:resolve'],
  },
  {
    id: 'symbols',
    text: 'Symbols from CI',
    hint: 'Uploads symbol files, and looks up whether they are there.',
    permissions: ['project:list', 'file:read', 'file:upload', 'symbols:upload'],
  },
  {
    id: 'read',
    text: 'Read only',
    hint: 'Reads projects, devices, their data and files. Changes nothing.',
    permissions: ORGANIZATION_TOKEN_PERMISSIONS.filter(
      (permission) => /:(read|list|download|resolve)$/.test(permission) && !permission.startsWith('webhook:'),
    ),
  },
  {
    id: 'everything',
    text: 'Everything',
    hint: 'All that a project manager can do, in every project.',
    permissions: undefined,
  },
]

/** Returns the list of permissions that results from a preset. */
export function permissionsOf({ permissions }: Preset): readonly Permission[] {
  return permissions ?? ORGANIZATION_TOKEN_PERMISSIONS
}

/** Returns what a token can do, in few words. */
export function wordsFor(permissions: readonly Permission[]): string {
  const same = PRESETS.find((preset) => {
    const list = permissionsOf(preset)
    return list.length === permissions.length && list.every((permission) => permissions.includes(permission))
  })
  if (same) return same.text
  return permissions.length === 1 ? (permissions[0] ?? '') : `${String(permissions.length)} permissions`
}
