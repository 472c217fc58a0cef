import pkg from '../../package.json' with { type: 'json' }

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'

/** A bundle of the release, and where it can be downloaded. */
export interface PublishedBundle {
  url: string
  sha256: string
}

const TOKEN = {
  description: 'An API key, or the token of an agent',
  isRequired: true,
  isSecret: true,
}

/**
 * The entry of the MCP registry. Every installation has its own address, so the remote one is a
 * template. The registry refuses a template that another product uses too, so the name of the
 * variable contains that of the product. Bundles are listed once their address is known.
 */
export const serverJson = (bundles: readonly PublishedBundle[]) => ({
  $schema: SCHEMA,
  name: pkg.mcpName,
  title: 'Corkboard',
  description: pkg.description,
  version: pkg.version,
  remotes: [
    {
      type: 'streamable-http',
      url: 'https://{corkboard_host}/mcp',
      variables: {
        corkboard_host: {
          description: 'The host of your Corkboard server',
          isRequired: true,
          placeholder: 'board.example.com',
        },
      },
      headers: [
        {
          name: 'Authorization',
          value: 'Bearer {token}',
          isRequired: true,
          isSecret: true,
          variables: { token: TOKEN },
        },
      ],
    },
  ],
  ...(bundles.length && {
    packages: bundles.map(({ url, sha256 }) => ({
      registryType: 'mcpb',
      identifier: url,
      fileSha256: sha256,
      transport: { type: 'stdio' },
      environmentVariables: [
        {
          name: 'CORK_URL',
          description: 'Address of the Corkboard server',
          isRequired: true,
          default: 'http://127.0.0.1:3210',
        },
        { name: 'CORK_TOKEN', ...TOKEN },
      ],
    })),
  }),
})
