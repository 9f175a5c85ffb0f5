import { Module, type DynamicModule, type Provider } from '@nestjs/common'
import { ExportAccessPoints } from './locate/access-points/export-access-points.js'
import { ForgetAccessPoint } from './erasure/forget-access-point.js'
import { ForgetCell } from './erasure/forget-cell.js'
import { ForgetArea } from './erasure/forget-area.js'
import { Erasure } from './erasure/erasure.js'
import { ShowAccessPointStatistics } from './locate/access-points/show-access-point-statistics.js'
import { AppendToImport } from './import/append-to-import.js'
import { BeginImport } from './import/begin-import.js'
import { CommitImport } from './import/commit-import.js'
import { ShowImport } from './import/show-import.js'
import { ShowCalibration } from './learn/calibration/show-calibration.js'
import { AuditLog } from './ground/audit-log.js'
import { RelearnLayer } from './learn/relearn-layer.js'
import { ListRejectedObservations } from './learn/dead-letters/list-rejected-observations.js'
import { ReplayRejectedObservations } from './learn/dead-letters/replay-rejected-observations.js'
import { ExportObservations } from './learn/observations/export-observations.js'
import { FindObservations } from './learn/observations/find-observations.js'
import { SubmitObservations } from './learn/observations/submit-observations.js'
import { DeleteDevicePositions } from './positions/delete-device-positions.js'
import { ListDevicePositions } from './positions/list-device-positions.js'
import { ResolvedAnswer } from './positions/resolved-answer.js'
import { ShowDevicePosition } from './positions/show-device-position.js'
import { ChangeLocationSettings } from './sharing/change-location-settings.js'
import { ChangePositionPolicy } from './positions/change-position-policy.js'
import { ShowPositionPolicy } from './positions/show-position-policy.js'
import { ShowLocationSettings } from './sharing/show-location-settings.js'
import { ExportCells } from './locate/cells/export-cells.js'
import { CellLocator } from './locate/cells/cell-locator.js'
import { CellReader } from './locate/cells/cell-reader.js'
import { ResolveCellLocation } from './locate/cells/resolve-cell-location.js'
import { Geolocate } from './locate/geolocation/geolocate.js'
import { FallbackLocator } from './locate/fallback/fallback-locator.js'
import { SetLocationFallback } from './locate/fallback/set-location-fallback.js'
import { ShowLocationFallback } from './locate/fallback/show-location-fallback.js'
import { TurnOffLocationFallback } from './locate/fallback/turn-off-location-fallback.js'
import { GroundLocator } from './locate/ground-fix/ground-locator.js'
import { ResolveGroundFix } from './locate/ground-fix/resolve-ground-fix.js'
import { ApproveSharing } from './sharing/approve-sharing.js'
import { ListSharing } from './sharing/list-sharing.js'
import { RevokeSharing } from './sharing/revoke-sharing.js'
import { WifiLocator } from './locate/wifi/wifi-locator.js'
import { ResolveWifiLocation } from './locate/wifi/resolve-wifi-location.js'

/** The operations of the location service. */
@Module({})
export class LocationModule {
  /** @param parts what the handlers need and cannot make themselves */
  static with(parts: readonly Provider[]): DynamicModule {
    return {
      module: LocationModule,
      controllers: [
        ResolveWifiLocation,
        ResolveCellLocation,
        ResolveGroundFix,
        Geolocate,
        ShowAccessPointStatistics,
        ShowCalibration,
        ExportAccessPoints,
        ForgetAccessPoint,
        ForgetCell,
        ForgetArea,
        ExportCells,
        BeginImport,
        AppendToImport,
        CommitImport,
        ShowImport,
        SubmitObservations,
        ExportObservations,
        FindObservations,
        ListRejectedObservations,
        ReplayRejectedObservations,
        RelearnLayer,
        ShowLocationSettings,
        ChangeLocationSettings,
        ShowPositionPolicy,
        ChangePositionPolicy,
        ShowDevicePosition,
        ListDevicePositions,
        DeleteDevicePositions,
        ShowLocationFallback,
        SetLocationFallback,
        TurnOffLocationFallback,
        ApproveSharing,
        RevokeSharing,
        ListSharing,
      ],
      providers: [
        AuditLog,
        Erasure,
        WifiLocator,
        CellReader,
        CellLocator,
        GroundLocator,
        ResolvedAnswer,
        FallbackLocator,
        ...parts,
      ],
    }
  }
}
