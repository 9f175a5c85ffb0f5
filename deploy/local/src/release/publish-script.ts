import { IMAGES } from '../images/build-images.js'

/** Version and locations of a release. */
export interface Destination {
  readonly version: string
  /** Registry and path of the images: `registry.example.com/bearing`. */
  readonly registry: string
  /** Files for the page of the release, relative to its folder. */
  readonly files: readonly string[]
}

/** Folders of OCI layouts, each with the images of one architecture, made on a machine of that architecture. */
export const LAYOUTS = { amd64: 'images', arm64: 'images-arm64' } as const

/**
 * Returns the commands that publish a release, to be run in its folder by a user who is signed in. cosign signs with the identity of the
 * workflow, so there is no key to keep; syft writes a bill of materials of each image and architecture. Nothing here runs them.
 */
export function publishScript({ version, registry, files }: Destination): string {
  const images = IMAGES.flatMap((name) => {
    const image = `${registry}/bearing-${name}`
    const sbom = (architecture: string) => `sbom/bearing-${name}-${version}-${architecture}.cdx.json`
    return [
      `buildah manifest create bearing-${name}`,
      ...Object.values(LAYOUTS).map(
        (layout) => `buildah manifest add bearing-${name} oci:${layout}:bearing-${name}-${version}`,
      ),
      `buildah manifest push --all --digestfile digest bearing-${name} docker://${image}:${version}`,
      'digest=$(cat digest)',
      `echo "\${digest#sha256:}  ${image}" >> IMAGES`,
      `cosign sign --yes --recursive ${image}@$digest`,
      ...Object.keys(LAYOUTS).flatMap((architecture) => [
        `syft scan ${image}@$digest --platform linux/${architecture} --output cyclonedx-json=${sbom(architecture)}`,
        `cosign attest --yes --type cyclonedx --predicate ${sbom(architecture)} ${image}@$digest`,
      ]),
    ]
  })
  return [
    '#!/bin/sh',
    `# Publishes this release. ${LAYOUTS.arm64} has to be there: the images of "pnpm release --images" on an arm64 machine.`,
    '# Needs buildah, cosign, syft, helm, npm and gh, signed in to what they write to.',
    'set -eu',
    'cd "$(dirname "$0")"',
    'sha256sum --check SHA256SUMS',
    'mkdir -p sbom',
    'rm -f IMAGES',
    'cosign sign-blob --yes --bundle SHA256SUMS.sigstore.json SHA256SUMS',
    '',
    ...images,
    '',
    // Without a pipe, which would hide that it failed.
    `helm push bearing-${version}.tgz oci://${registry}/charts > chart 2>&1 || { cat chart; exit 1; }`,
    `cosign sign --yes ${registry}/charts/bearing@$(sed -n 's/^Digest: //p' chart)`,
    ...['cli', 'client', 'client-nats', 'nestjs'].map(
      (name) => `npm publish bearing-${name}-${version}.tgz --access public --provenance`,
    ),
    `gh release create v${version} --verify-tag --title "Bearing ${version}" --notes-file notes.md ${[...files, 'sbom/*', 'SHA256SUMS', 'SHA256SUMS.sigstore.json'].join(' ')}`,
    '',
  ].join('\n')
}
