import type { ProjectSettings } from '@bearing/contracts/identity/credentials/project-settings'
import type { z } from 'zod'

/** The columns of a project's settings. */
export const PROJECT_SETTINGS = { mayLocate: true, mayContribute: true } as const

/** Returns the settings of a project as they are shown. */
export function viewProjectSettings(row: {
  readonly mayLocate: boolean
  readonly mayContribute: boolean
}): z.output<typeof ProjectSettings> {
  return { project_key_may_locate: row.mayLocate, project_key_may_contribute: row.mayContribute }
}
