import { listChunks, MAX_CHUNKS_BYTES, readChunk, sendChunks } from './data/chunk.js'
import { readData } from './data/data-item.js'
import { changeDataPolicy, showDataPolicy } from './data/data-policy.js'
import {
  changeDevice,
  declareAttribute,
  deleteAttribute,
  importDevices,
  listAttributes,
} from './devices/device-attribute.js'
import { showDeviceIdentity } from './devices/device-identity.js'
import { readDeviceConfig, setDeviceSampling } from './devices/device-config.js'
import {
  deleteOrganization,
  deleteProject,
  eraseOrganization,
  eraseProject,
  listDeletedOrganizations,
  listDeletedProjects,
  restoreOrganization,
  restoreProject,
  showOrganizationDeletion,
  showProjectDeletion,
} from './tenancy/deletion.js'
import {
  deleteDevices,
  previewDeviceDeletion,
  showDeviceDeletion,
  stopDeviceDeletion,
} from './devices/device-deletion.js'
import { deleteDevice, listDevices, registerDevice, showDevice, showDeviceUsage } from './devices/device.js'
import {
  deleteFile,
  downloadFile,
  findSymbols,
  listCoredumps,
  listFiles,
  showFile,
  type FileKind,
} from './data/file.js'
import {
  createOrganization,
  listOrganizations,
  renameOrganization,
  showOrganization,
} from './tenancy/organization.js'
import { showOverview, showProjectOverview } from './tenancy/overview.js'
import { showOrganizationUsage } from './tenancy/organization-usage.js'
import { createPartnerOrganization, requestPartnerLink } from './tenancy/partner.js'
import { createProject, listProjects, renameProject, showProject } from './tenancy/project.js'
import { findLatestRelease } from './data/release.js'
import { commitSymbols, commitUpload, prepareUpload, receiveUpload } from './data/upload.js'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  redeliverWebhook,
  rotateWebhook,
  showWebhook,
  showWebhookUsage,
  testWebhook,
} from './webhook.js'
import { KIB, ORGANIZATION, PROJECT, route } from '../route.js'

/** Names the slug, because the gateway resolves no deleted project. */
const DELETED_PROJECT = `${ORGANIZATION}/projects/:project_slug`

const DEVICE_UPLOAD = '/api/v0/upload'

const DEVICE = `${PROJECT}/devices/:device_serial`
const DELETIONS = `${PROJECT}/device-deletions`
const ATTRIBUTE = `${PROJECT}/device-attributes/:attribute`

const WEBHOOK = `${PROJECT}/webhooks/:webhook_id`

/** Makes a file of one kind out of an upload: with a project key, or in a project. */
function commit(path: string, kind: FileKind) {
  const device = path.startsWith(DEVICE_UPLOAD)
  return route('POST', path, commitUpload, { status: device ? 202 : 201, device, fixed: { kind } })
}

/** Organizations, projects, devices and their data. */
export const MANAGEMENT_ROUTES = {
  createPartnerOrganization: route('POST', '/auth/partner_team/create', createPartnerOrganization),
  requestPartnerLink: route('POST', '/auth/partner_team/link', requestPartnerLink),
  listOrganizations: route('GET', '/api/v0/organizations', listOrganizations, { envelope: 'none' }),
  createOrganization: route('POST', '/api/v0/organizations', createOrganization, { status: 201 }),
  showOrganization: route('GET', ORGANIZATION, showOrganization),
  renameOrganization: route('PATCH', ORGANIZATION, renameOrganization),
  deleteOrganization: route('DELETE', ORGANIZATION, deleteOrganization),
  showOrganizationDeletion: route('GET', `${ORGANIZATION}/deletion`, showOrganizationDeletion),
  restoreOrganization: route('POST', `${ORGANIZATION}/restore`, restoreOrganization),
  eraseOrganization: route('POST', `${ORGANIZATION}/erase`, eraseOrganization),
  listDeletedOrganizations: route('GET', '/api/v0/deleted_organizations', listDeletedOrganizations, {
    envelope: 'none',
  }),
  listDeletedProjects: route('GET', `${ORGANIZATION}/deleted_projects`, listDeletedProjects, {
    envelope: 'none',
  }),
  deleteProject: route('DELETE', DELETED_PROJECT, deleteProject),
  showProjectDeletion: route('GET', `${DELETED_PROJECT}/deletion`, showProjectDeletion),
  restoreProject: route('POST', `${DELETED_PROJECT}/restore`, restoreProject),
  eraseProject: route('POST', `${DELETED_PROJECT}/erase`, eraseProject),
  showOverview: route('GET', `${ORGANIZATION}/overview`, showOverview),
  showOrganizationUsage: route('GET', `${ORGANIZATION}/usage`, showOrganizationUsage),
  listProjects: route('GET', `${ORGANIZATION}/projects`, listProjects, { envelope: 'none' }),
  createProject: route('POST', `${ORGANIZATION}/projects`, createProject, { status: 201 }),
  showProject: route('GET', PROJECT, showProject),
  showProjectOverview: route('GET', `${PROJECT}/overview`, showProjectOverview),
  renameProject: route('PATCH', PROJECT, renameProject),
  listDevices: route('GET', `${PROJECT}/devices`, listDevices, { envelope: 'none' }),
  registerDevice: route('POST', `${PROJECT}/devices`, registerDevice, { status: 201 }),
  showDevice: route('GET', `${PROJECT}/devices/:device_serial`, showDevice),
  showDeviceUsage: route('GET', `${DEVICE}/usage`, showDeviceUsage),
  deleteDevice: route('DELETE', `${PROJECT}/devices/:device_serial`, deleteDevice),
  changeDevice: route('PATCH', DEVICE, changeDevice),
  importDevices: route('POST', `${PROJECT}/devices/import`, importDevices, { bodyLimit: 2_048 * KIB }),
  previewDeviceDeletion: route('POST', `${DELETIONS}/preview`, previewDeviceDeletion),
  deleteDevices: route('POST', DELETIONS, deleteDevices, { status: 202 }),
  showDeviceDeletion: route('GET', `${DELETIONS}/:deletion_id`, showDeviceDeletion),
  stopDeviceDeletion: route('POST', `${DELETIONS}/:deletion_id/stop`, stopDeviceDeletion),
  listAttributes: route('GET', `${PROJECT}/device-attributes`, listAttributes, { envelope: 'none' }),
  declareAttribute: route('PUT', ATTRIBUTE, declareAttribute),
  deleteAttribute: route('DELETE', ATTRIBUTE, deleteAttribute),
  showDeviceIdentity: route('GET', `${PROJECT}/device_identity`, showDeviceIdentity),
  setDeviceSampling: route('PUT', `${PROJECT}/devices/:device_serial/sampling`, setDeviceSampling),
  readDeviceConfig: route('POST', '/api/v0/device-config', readDeviceConfig, { device: true }),
  listChunks: route('GET', `${PROJECT}/devices/:device_serial/chunks`, listChunks, { envelope: 'none' }),
  readChunk: route('GET', `${PROJECT}/devices/:device_serial/chunks/:chunk_id`, readChunk, {
    hasController: true,
    download: true,
  }),
  readData: route('GET', `${PROJECT}/data`, readData, { envelope: 'none', stream: true }),
  showDataPolicy: route('GET', `${PROJECT}/data_policy`, showDataPolicy),
  changeDataPolicy: route('PUT', `${PROJECT}/data_policy`, changeDataPolicy),
  findLatestRelease: route('GET', '/api/v0/releases/latest', findLatestRelease, {
    status: 204,
    device: true,
    mayBeEmpty: true,
  }),
  findLatestReleaseUrl: route('GET', '/api/v0/releases/latest/url', findLatestRelease, {
    status: 204,
    device: true,
    mayBeEmpty: true,
  }),
  sendChunks: route('POST', '/api/v0/chunks/:device_serial', sendChunks, {
    status: 202,
    device: true,
    hasController: true,
    bytes: true,
    bodyLimit: MAX_CHUNKS_BYTES,
  }),
  prepareDeviceUpload: route('POST', DEVICE_UPLOAD, prepareUpload, { device: true, hasController: true }),
  commitDeviceCoredump: route('POST', `${DEVICE_UPLOAD}/coredump`, commitUpload, {
    status: 202,
    device: true,
    hasController: true,
    fixed: { kind: 'coredump' },
  }),
  commitDeviceElfCoredump: commit(`${DEVICE_UPLOAD}/elf_coredump`, 'elf_coredump'),
  commitDeviceBugreport: commit(`${DEVICE_UPLOAD}/bugreport`, 'bugreport'),
  commitDeviceMar: commit(`${DEVICE_UPLOAD}/mar`, 'mar'),
  commitDeviceRecording: commit(`${DEVICE_UPLOAD}/custom-data-recording`, 'custom-data-recording'),
  receiveUpload: route('PUT', '/api/v0/uploads/:upload_token', receiveUpload, {
    hasController: true,
    bytes: true,
    signedAddress: true,
  }),
  prepareUpload: route('POST', `${PROJECT}/upload`, prepareUpload, { hasController: true }),
  commitCoredump: commit(`${PROJECT}/coredumps`, 'coredump'),
  commitElfCoredump: commit(`${PROJECT}/elf_coredumps`, 'elf_coredump'),
  commitBugreport: commit(`${PROJECT}/bugreports`, 'bugreport'),
  commitMar: commit(`${PROJECT}/mar`, 'mar'),
  commitRecording: commit(`${PROJECT}/custom-data-recordings`, 'custom-data-recording'),
  /** The address of command-line clients. */
  commitRecordingSingular: commit(`${PROJECT}/custom-data-recording`, 'custom-data-recording'),
  commitSymbols: route('POST', `${PROJECT}/symbols`, commitSymbols, { status: 201 }),
  findSymbols: route('GET', `${PROJECT}/symbols-by-gnu-build-id/:gnu_build_id`, findSymbols),
  listFiles: route('GET', `${PROJECT}/files`, listFiles, { envelope: 'none' }),
  showFile: route('GET', `${PROJECT}/files/:file_id`, showFile),
  deleteFile: route('DELETE', `${PROJECT}/files/:file_id`, deleteFile),
  downloadFile: route('GET', `${PROJECT}/files/:file_id/download`, downloadFile, {
    hasController: true,
    download: true,
  }),
  listCoredumps: route('GET', `${PROJECT}/coredumps`, listCoredumps, { envelope: 'none' }),
  listWebhooks: route('GET', `${PROJECT}/webhooks`, listWebhooks, { envelope: 'none' }),
  createWebhook: route('POST', `${PROJECT}/webhooks`, createWebhook, { status: 201, idempotencyKey: true }),
  showWebhook: route('GET', WEBHOOK, showWebhook),
  showWebhookUsage: route('GET', `${WEBHOOK}/usage`, showWebhookUsage),
  changeWebhook: route('PUT', WEBHOOK, changeWebhook),
  deleteWebhook: route('DELETE', WEBHOOK, deleteWebhook),
  rotateWebhook: route('POST', `${WEBHOOK}/rotate`, rotateWebhook, { idempotencyKey: true }),
  testWebhook: route('POST', `${WEBHOOK}/test`, testWebhook),
  redeliverWebhook: route('POST', `${WEBHOOK}/redeliver`, redeliverWebhook),
  listWebhookDeliveries: route('GET', `${WEBHOOK}/deliveries`, listWebhookDeliveries, { envelope: 'none' }),
} as const
