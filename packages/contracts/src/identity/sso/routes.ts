import { readScim, writeScim } from './scim.js'
import { KIB, ORGANIZATION, route } from '../../route.js'
import { confirmPartnerLink, listPartnerLinks, refusePartnerLink, showPartnerTeam } from './partner.js'
import {
  beginLink,
  beginSignOn,
  completeSignOn,
  deleteSsoIdentity,
  listSsoIdentities,
  logOutAtProvider,
  MAX_LOGOUT_TOKEN,
} from './sign-on.js'
import {
  changeSsoConnection,
  createSsoConnection,
  deleteSsoConnection,
  showClientKeys,
  listSsoConnections,
  showSsoConnection,
} from './sso-connection.js'
import { addSsoDomain, deleteSsoDomain, listSsoDomains, verifySsoDomain } from './sso-domain.js'

const SCIM = '/scim/v2/organizations/:organization/:connection_id/:resource'
const SCIM_OPTIONS = { envelope: 'none', hasController: true, dialect: 'scim', bodyLimit: 512 * KIB } as const

/** Single sign-on: sign-ons, linked accounts, connections, domains, and teams of partners. */
export const SSO_ROUTES = {
  findSignOn: route('GET', '/auth/sso', beginSignOn, { status: 302, hasController: true }),
  beginSignOn: route('GET', '/auth/sso/:connection_id/start', beginSignOn, {
    status: 302,
    hasController: true,
  }),
  completeSignOn: route('GET', '/auth/sso/:connection_id/callback', completeSignOn, {
    status: 302,
    hasController: true,
  }),
  logOutAtProvider: route('POST', '/auth/sso/:connection_id/backchannel_logout', logOutAtProvider, {
    envelope: 'empty',
    hasController: true,
    dialect: 'oauth',
    bodyLimit: 2 * MAX_LOGOUT_TOKEN,
  }),
  showClientKeys: route('GET', '/auth/sso/:connection_id/jwks.json', showClientKeys, { envelope: 'none' }),
  beginLink: route('POST', '/auth/sso/:connection_id/link', beginLink, { hasController: true }),
  showPartnerTeam: route('GET', '/auth/partner_team', showPartnerTeam),
  listSsoIdentities: route('GET', '/auth/sso/identities', listSsoIdentities, { envelope: 'none' }),
  deleteSsoIdentity: route('DELETE', '/auth/sso/identities/:sso_identity_id', deleteSsoIdentity),
  listSsoConnections: route('GET', `${ORGANIZATION}/sso_connections`, listSsoConnections, {
    envelope: 'none',
  }),
  createSsoConnection: route('POST', `${ORGANIZATION}/sso_connections`, createSsoConnection, { status: 201 }),
  showSsoConnection: route('GET', `${ORGANIZATION}/sso_connections/:connection_id`, showSsoConnection),
  changeSsoConnection: route('PUT', `${ORGANIZATION}/sso_connections/:connection_id`, changeSsoConnection),
  deleteSsoConnection: route('DELETE', `${ORGANIZATION}/sso_connections/:connection_id`, deleteSsoConnection),
  listScim: route('GET', SCIM, readScim, SCIM_OPTIONS),
  showScim: route('GET', `${SCIM}/:resource_id`, readScim, SCIM_OPTIONS),
  createScim: route('POST', SCIM, writeScim, { ...SCIM_OPTIONS, status: 201 }),
  replaceScim: route('PUT', `${SCIM}/:resource_id`, writeScim, SCIM_OPTIONS),
  patchScim: route('PATCH', `${SCIM}/:resource_id`, writeScim, SCIM_OPTIONS),
  deleteScim: route('DELETE', `${SCIM}/:resource_id`, writeScim, { ...SCIM_OPTIONS, status: 204 }),
  listSsoDomains: route('GET', `${ORGANIZATION}/sso_domains`, listSsoDomains, { envelope: 'none' }),
  addSsoDomain: route('PUT', `${ORGANIZATION}/sso_domains/:domain`, addSsoDomain),
  verifySsoDomain: route('POST', `${ORGANIZATION}/sso_domains/:domain/verify`, verifySsoDomain),
  deleteSsoDomain: route('DELETE', `${ORGANIZATION}/sso_domains/:domain`, deleteSsoDomain),
  listPartnerLinks: route('GET', `${ORGANIZATION}/partner_links`, listPartnerLinks, { envelope: 'none' }),
  confirmPartnerLink: route(
    'POST',
    `${ORGANIZATION}/partner_links/:partner_link_id/confirm`,
    confirmPartnerLink,
  ),
  refusePartnerLink: route('DELETE', `${ORGANIZATION}/partner_links/:partner_link_id`, refusePartnerLink),
} as const
