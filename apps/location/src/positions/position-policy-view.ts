import { DEFAULT_POSITION_POLICY, type PositionPolicy } from '@bearing/contracts/location/position-policy'
import type { z } from 'zod'

/** The position policy of a project as it is shown; no row: as by default. */
export function viewPositionPolicy(
  row: { readonly storePositions: boolean; readonly retentionDays: number } | null,
): z.output<typeof PositionPolicy> {
  if (!row) return DEFAULT_POSITION_POLICY
  return { store_positions: row.storePositions, retention_days: row.retentionDays }
}

/** The key of a project's row: the project is taken to be of the organization, so the organization is a part of it. */
export function policyKey(scope: { readonly organization_id: string; readonly project_id: string }) {
  return {
    projectId_organizationId: { projectId: scope.project_id, organizationId: scope.organization_id },
  }
}
