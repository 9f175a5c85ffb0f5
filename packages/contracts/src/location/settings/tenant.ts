import { eraseTenantOf } from '../../tenant-scope.js'

export const eraseTenantLocation = eraseTenantOf('location')
