/** What proves where the files of a release come from: contents, provenance and signature. */
import { createHash, type KeyObject, sign } from 'node:crypto'
import pkg from '../../package.json' with { type: 'json' }

interface Notice {
  packages: string[]
  license: string
}

/** The bill of materials of the executable: CycloneDX 1.6. */
export function billOfMaterials(notices: readonly Notice[], seconds: number) {
  const components = notices.flatMap(({ packages, license }) =>
    packages.map((text) => componentOf(text, license)),
  )
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: new Date(seconds * 1000).toISOString(),
      component: {
        ...{ type: 'application', 'bom-ref': pkg.name, name: pkg.name, version: pkg.version },
        licenses: [{ license: { id: pkg.license } }],
      },
    },
    components,
    dependencies: [{ ref: pkg.name, dependsOn: components.map((one) => one['bom-ref']) }],
  }
}

/** A package as `cork licenses` names it: `name version`, or Bun with a note. */
function componentOf(text: string, license: string) {
  const [name = '', version = ''] = text.replace(/,.*/, '').split(' ')
  const purl = `pkg:npm/${name.toLowerCase().replace('@', '%40')}@${version}`
  const licenses = [{ license: { name: license } }]
  return { type: 'library', 'bom-ref': purl, name, version, purl, licenses }
}

/** The provenance of the files: an in-toto statement with a SLSA predicate. */
export function provenance(digests: ReadonlyMap<string, string>, lockfile: Uint8Array) {
  const git = (...args: string[]) =>
    Bun.spawnSync(['git', ...args], { cwd: import.meta.dir })
      .stdout.toString()
      .trim()
  const sha256 = createHash('sha256').update(lockfile).digest('hex')
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [...digests].map(([name, digest]) => ({ name, digest: { sha256: digest } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:corkboard:npm-run-release:v1',
        externalParameters: { version: pkg.version },
        resolvedDependencies: [
          { name: 'sources', digest: { gitCommit: git('rev-parse', 'HEAD') } },
          { name: 'bun.lock', digest: { sha256 } },
          { name: `bun ${Bun.version}`, digest: { gitCommit: Bun.revision } },
        ],
      },
      runDetails: { builder: { id: 'urn:corkboard:scripts/release.ts' } },
    },
  }
}

/** A raw Ed25519 signature, which `openssl pkeyutl -verify -rawin` checks. */
export const signatureOf = (bytes: Uint8Array, key: KeyObject): Uint8Array => sign(null, bytes, key)
