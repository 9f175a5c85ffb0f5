import {
  DEFAULT_POSITION_POLICY,
  type PositionPolicy,
} from '@bearing/contracts/location/positions/position-policy'
import type { z } from 'zod'

/** Returns the position policy of a project; without a row the default. */
export function viewPositionPolicy(
  row: { readonly storePositions: boolean; readonly retentionDays: number } | null,
): z.output<typeof PositionPolicy> {
  if (!row) return DEFAULT_POSITION_POLICY
  return { store_positions: row.storePositions, retention_days: row.retentionDays }
}

/** The key contains the organization, so that no organization reads or changes the policy of another one's project. */
export function policyKey(scope: { readonly organization_id: string; readonly project_id: string }) {
  return {
    projectId_organizationId: { projectId: scope.project_id, organizationId: scope.organization_id },
  }
}
