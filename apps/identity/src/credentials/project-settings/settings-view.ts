import {
  DeviceClaims,
  DeviceIdentity,
  type ProjectSettings,
} from '@bearing/contracts/identity/credentials/project-settings'
import type { z } from 'zod'
import type { ProjectKey } from '../../generated/prisma/client.js'

/** The columns of a project's settings. */
export const PROJECT_SETTINGS = {
  mayLocate: true,
  mayContribute: true,
  deviceIdentity: true,
  tokensWithoutExpiry: true,
  deviceClaims: true,
} as const

/** Returns the settings of a project as they are shown. */
export function viewProjectSettings(
  row: Pick<ProjectKey, keyof typeof PROJECT_SETTINGS>,
): z.output<typeof ProjectSettings> {
  return {
    project_key_may_locate: row.mayLocate,
    project_key_may_contribute: row.mayContribute,
    device_identity: DeviceIdentity.parse(row.deviceIdentity),
    device_tokens_without_expiry: row.tokensWithoutExpiry,
    device_claims: DeviceClaims.parse(row.deviceClaims),
  }
}
