import { Module, type DynamicModule, type Provider } from '@nestjs/common'
import { ExportAccessPoints } from './access-points/export-access-points.js'
import { ForgetAccessPoint } from './forgetting/forget-access-point.js'
import { ForgetCell } from './forgetting/forget-cell.js'
import { ForgetArea } from './forgetting/forget-area.js'
import { Forgetting } from './forgetting/forgetting.js'
import { ShowAccessPointStatistics } from './access-points/show-access-point-statistics.js'
import { AppendToImport } from './access-point-imports/append-to-import.js'
import { BeginImport } from './access-point-imports/begin-import.js'
import { CommitImport } from './access-point-imports/commit-import.js'
import { ShowImport } from './access-point-imports/show-import.js'
import { ShowCalibration } from './calibration/show-calibration.js'
import { AuditLog } from './audit/audit-log.js'
import { RelearnLayer } from './learning/relearn-layer.js'
import { ListRejectedObservations } from './rejected-observations/list-rejected-observations.js'
import { ReplayRejectedObservations } from './rejected-observations/replay-rejected-observations.js'
import { ExportObservations } from './observations/export-observations.js'
import { FindObservations } from './observations/find-observations.js'
import { SubmitObservations } from './observations/submit-observations.js'
import { DeleteDevicePositions } from './positions/delete-device-positions.js'
import { ListDevicePositions } from './positions/list-device-positions.js'
import { ResolvedAnswer } from './positions/resolved-answer.js'
import { ShowDevicePosition } from './positions/show-device-position.js'
import { ChangeLocationSettings } from './settings/change-location-settings.js'
import { ChangePositionPolicy } from './settings/change-position-policy.js'
import { ShowPositionPolicy } from './settings/show-position-policy.js'
import { ShowLocationSettings } from './settings/show-location-settings.js'
import { ExportCells } from './cells/export-cells.js'
import { CellLocator } from './cells/cell-locator.js'
import { CellReader } from './cells/cell-reader.js'
import { ResolveCellLocation } from './cells/resolve-cell-location.js'
import { Geolocate } from './geolocation/geolocate.js'
import { FallbackLocator } from './fallback/fallback-locator.js'
import { SetLocationFallback } from './fallback/set-location-fallback.js'
import { ShowLocationFallback } from './fallback/show-location-fallback.js'
import { TurnOffLocationFallback } from './fallback/turn-off-location-fallback.js'
import { GroundLocator } from './ground/ground-locator.js'
import { ResolveGroundFix } from './ground/resolve-ground-fix.js'
import { ApproveSharing } from './sharing/approve-sharing.js'
import { ListSharing } from './sharing/list-sharing.js'
import { RevokeSharing } from './sharing/revoke-sharing.js'
import { WifiLocator } from './wifi/wifi-locator.js'
import { ResolveWifiLocation } from './wifi/resolve-wifi-location.js'

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
        Forgetting,
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
