import { IMAGES } from '../images/build-images.js'

/** What a release is published as. */
export interface Destination {
  readonly version: string
  /** Registry and path of the images: `registry.example.com/bearing`. */
  readonly registry: string
  readonly digests: Readonly<Record<string, string>>
  /** Files for the page of the release, relative to its folder. */
  readonly files: readonly string[]
}

/** The commands that publish a release, to be run in its folder by somebody who is signed in. Nothing here runs them. */
export function publishScript({ version, registry, digests, files }: Destination): string {
  const images = IMAGES.flatMap((name) => {
    const image = `${registry}/bearing-${name}`
    const digest = digests[name] ?? 'sha256:…'
    return [
      `skopeo copy --preserve-digests oci:images:bearing-${name}-${version} docker://${image}:${version}`,
      `cosign attach signature --payload signatures/bearing-${name}.payload.json --signature signatures/bearing-${name}.sig ${image}@${digest}`,
      `cosign verify --key cosign.pub --insecure-ignore-tlog=true ${image}@${digest}`,
    ]
  })
  return [
    '#!/bin/sh',
    '# Publishes this release. Needs skopeo, cosign, helm, npm and gh, signed in to what they write to.',
    'set -eu',
    'cd "$(dirname "$0")"',
    'sha256sum --check SHA256SUMS',
    'cosign verify-blob --key cosign.pub --signature SHA256SUMS.sig --insecure-ignore-tlog=true SHA256SUMS',
    '',
    ...images,
    '',
    `helm push bearing-${version}.tgz oci://${registry}/charts`,
    ...['cli', 'client', 'client-nats'].map(
      (name) => `npm publish bearing-${name}-${version}.tgz --access public --provenance`,
    ),
    `gh release create v${version} --verify-tag --title "Bearing ${version}" --notes-file notes.md ${files.join(' ')}`,
    '',
  ].join('\n')
}
