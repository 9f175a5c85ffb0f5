import type { Erasable } from '@bearing/service/store/erase-rows'

const MINE = 'organization_id = $1'
/** Positions have no index by organization. They are stored only for projects that have a policy. */
const ITS_PROJECTS = `project_id IN (SELECT project_id FROM position_policies WHERE ${MINE})`
const PROJECT = `${MINE} AND project_id = ANY ($2)`

/**
 * Location's data of an organization, apart from the tables in `scan-tables.ts`, in the order of erasure.
 * `device_scans` have no ids and expire in an hour.
 */
export const OF_ORGANIZATION: readonly Erasable[] = [
  {
    table: 'import_batches',
    key: ['import_id', 'batch'],
    where: `import_id IN (SELECT id FROM imports WHERE ${MINE})`,
  },
  { table: 'imports', where: MINE },
  { table: 'observations', where: MINE },
  { table: 'reference_scans', key: ['project_id', 'cell', 'id'], where: MINE },
  { table: 'reference_sets', key: ['project_id'], where: MINE },
  { table: 'lookup_hours', key: ['organization_id', 'project_id', 'hour'], where: MINE },
  { table: 'lookup_usage', key: ['organization_id', 'day', 'outcome'], where: MINE },
  {
    table: 'device_positions',
    key: ['project_id', 'device_serial', 'at', 'id'],
    where: `${ITS_PROJECTS} AND ${MINE}`,
  },
  { table: 'latest_positions', key: ['project_id', 'device_serial'], where: `${ITS_PROJECTS} AND ${MINE}` },
  { table: 'position_policies', key: ['project_id', 'organization_id'], where: MINE },
  { table: 'location_fallbacks', key: ['organization_id'], where: MINE },
  { table: 'location_settings', key: ['organization_id'], where: MINE },
  { table: 'learned_cells', key: ['organization_id', 'radio', 'mcc', 'mnc', 'area', 'cell'], where: MINE },
  { table: 'forgotten_access_points', key: ['organization_id', 'bssid'], where: MINE },
  { table: 'forgotten_cells', key: ['organization_id', 'radio', 'mcc', 'mnc', 'area', 'cell'], where: MINE },
  { table: 'forgotten_areas', where: MINE },
]

/** Location's data of a project. Models learned from its observations belong to the organization, and stay. */
export const OF_PROJECT: readonly Erasable[] = [
  { table: 'observations', where: PROJECT },
  { table: 'reference_scans', key: ['project_id', 'cell', 'id'], where: PROJECT },
  { table: 'reference_sets', key: ['project_id'], where: PROJECT },
  { table: 'lookup_hours', key: ['organization_id', 'project_id', 'hour'], where: PROJECT },
  { table: 'device_positions', key: ['project_id', 'device_serial', 'at', 'id'], where: PROJECT },
  { table: 'latest_positions', key: ['project_id', 'device_serial'], where: PROJECT },
  { table: 'position_policies', key: ['project_id', 'organization_id'], where: PROJECT },
]
