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

/**
 * Returns the commands that publish a release, to be run in its folder by a user who is signed in. cosign signs with the identity of the
 * workflow, so there is no key to keep; syft writes a bill of materials of each image. Nothing here runs them.
 */
export function publishScript({ version, registry, digests, files }: Destination): string {
  const images = IMAGES.flatMap((name) => {
    const image = `${registry}/bearing-${name}`
    const digest = digests[name] ?? 'sha256:…'
    return [
      `skopeo copy --preserve-digests oci:images:bearing-${name}-${version} docker://${image}:${version}`,
      `cosign sign --yes ${image}@${digest}`,
      `syft scan ${image}@${digest} --output cyclonedx-json=sbom/bearing-${name}-${version}.cdx.json`,
      `cosign attest --yes --type cyclonedx --predicate sbom/bearing-${name}-${version}.cdx.json ${image}@${digest}`,
    ]
  })
  return [
    '#!/bin/sh',
    '# Publishes this release. Needs skopeo, cosign, syft, helm, npm and gh, signed in to what they write to.',
    'set -eu',
    'cd "$(dirname "$0")"',
    'sha256sum --check SHA256SUMS',
    'mkdir -p sbom',
    'cosign sign-blob --yes --bundle SHA256SUMS.sigstore.json SHA256SUMS',
    '',
    ...images,
    '',
    `helm push bearing-${version}.tgz oci://${registry}/charts`,
    ...['cli', 'client', 'client-nats', 'nestjs'].map(
      (name) => `npm publish bearing-${name}-${version}.tgz --access public --provenance`,
    ),
    `gh release create v${version} --verify-tag --title "Bearing ${version}" --notes-file notes.md ${[...files, 'sbom/*', 'SHA256SUMS', 'SHA256SUMS.sigstore.json'].join(' ')}`,
    '',
  ].join('\n')
}
