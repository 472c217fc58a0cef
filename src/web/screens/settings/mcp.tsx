import { Link } from 'wouter'
import { patchQuery, useCache, useOperation, useOperationMutation } from '../../data/cache.ts'
import { callOperation, newIdempotencyKey } from '../../data/client.ts'
import { Programs } from '../../entities/agent/programs.tsx'
import { mayConnect } from '../../entities/user/me.ts'
import { Copy } from '../../kit/copy.tsx'
import { LoadError } from '../../kit/load-error.tsx'
import { showError, showToast } from '../../kit/toasts.tsx'
import { CreateForm } from './create-form.tsx'
import { CredentialLine } from './credential-line.tsx'
import type { PartProps } from './part-props.ts'
import { SettingsPage, SettingsSection } from './parts.tsx'

const LIST = { limit: 50 } as const

/** Creates access tokens for assistants that work in the user's name. */
export default function Mcp({ me }: PartProps) {
  const cache = useCache()
  const { mcp_url } = me.server
  return (
    <SettingsPage
      title="MCP"
      about={
        <>
          An access token lets an assistant work in your name: it sees what you see, and everything
          it writes is yours.
          {mayConnect(me) && (
            <>
              {' '}
              To give it its own name, <Link href="?connect=">connect it as an agent</Link>.
            </>
          )}
        </>
      }
    >
      <SettingsSection
        title="Connect an assistant"
        about="A token lasts 30 days. Give each program its own."
      >
        <CreateForm
          what="token"
          placeholder="Claude on my laptop"
          own={me.permissions}
          make={async (input) => {
            const created = await callOperation('access_tokens.create', input, {
              key: newIdempotencyKey(),
            })
            void cache.invalidateQueries({ queryKey: ['access_tokens.list'] })
            return created
          }}
          shown={({ token }, onCopied) => (
            <>
              <Copy label="Token" text={token} onCopied={onCopied} />
              <Programs url={mcp_url} token={token} onCopied={onCopied} />
            </>
          )}
        />
      </SettingsSection>
      <Tokens />
    </SettingsPage>
  )
}

function Tokens() {
  const list = useOperation('access_tokens.list', LIST)
  const { data } = list
  const { act } = useOperationMutation('access_tokens.revoke', {
    optimistic: ({ access_token_id }) =>
      patchQuery('access_tokens.list', LIST, (now) => ({
        ...now,
        items: now.items.filter((one) => one.access_token_id !== access_token_id),
      })),
    onDone: ({ name }) => showToast(`Revoked ${name}`),
    onFailed: showError,
  })
  return (
    <SettingsSection title="Your tokens">
      <LoadError of={list} what="your tokens" />
      {data?.items.length === 0 && (
        <p className="none">
          No tokens yet. Create one above, and paste the configuration into your program.
        </p>
      )}
      <ul className="holdings" aria-label="Your tokens" hidden={!data?.items.length}>
        {data?.items.map((one) => (
          <CredentialLine
            key={one.access_token_id}
            held={one}
            onRevoke={() => act({ access_token_id: one.access_token_id })}
          >
            <p>Everything that uses it loses access at once. This cannot be undone.</p>
          </CredentialLine>
        ))}
      </ul>
    </SettingsSection>
  )
}
