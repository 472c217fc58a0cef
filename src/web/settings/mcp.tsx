import { Link } from 'wouter'
import { keyOf, useAct, useAsk, useCache } from '../data/cache.ts'
import { ask, newKey, type Output } from '../data/client.ts'
import { mayConnect } from '../frame/places.ts'
import { say } from '../frame/toasts.tsx'
import { LoadError } from '../parts/load-error.tsx'
import { Copy } from '../start/copy.tsx'
import { Programs } from '../start/programs.tsx'
import { HeldLine } from './held.tsx'
import { Make } from './make.tsx'
import { failed } from './own.ts'
import { Group, Part } from './parts.tsx'
import type { PartProps } from './screen.tsx'

const LIST = { limit: 50 } as const
type Token = Output<'access_tokens.list'>['items'][number]

/** Where somebody gets what an assistant needs to work in their name. */
export default function Mcp({ me }: PartProps) {
  const cache = useCache()
  const { mcp_url } = me.server
  return (
    <Part
      title="MCP"
      about={
        <>
          An access token lets an assistant work in your name: it sees what you see, and what it
          writes is yours.
          {mayConnect(me) && (
            <>
              {' '}
              One that shall sign its own work is{' '}
              <Link href="?connect=">connected as an agent</Link>.
            </>
          )}
        </>
      }
    >
      <Group title="Connect an assistant" about="A token lasts 30 days. Give each program its own.">
        <Make
          what="token"
          placeholder="Claude on my laptop"
          own={me.permissions}
          make={async (asked) => {
            const made = await ask('access_tokens.create', asked, { key: newKey() })
            void cache.invalidateQueries({ queryKey: ['access_tokens.list'] })
            return made
          }}
          shown={({ token }, onCopied) => (
            <>
              <Copy label="Token" text={token} onCopied={onCopied} />
              <Programs url={mcp_url} token={token} onCopied={onCopied} />
            </>
          )}
        />
      </Group>
      <Tokens />
    </Part>
  )
}

function Tokens() {
  const cache = useCache()
  const list = useAsk('access_tokens.list', LIST)
  const { data } = list
  const put = (change: (items: readonly Token[]) => Token[]) => {
    const key = keyOf('access_tokens.list', LIST)
    const before = cache.getQueryData<Output<'access_tokens.list'>>(key)
    if (before) cache.setQueryData(key, { ...before, items: change(before.items) })
    return () => void cache.setQueryData(key, before)
  }
  const { act } = useAct('access_tokens.revoke', {
    ahead: ({ access_token_id }) =>
      put((items) => items.filter((one) => one.access_token_id !== access_token_id)),
    done: ({ name }) => say(`Revoked ${name}`),
    failed,
  })
  return (
    <Group title="Your tokens">
      <LoadError of={list} what="your tokens" />
      {data?.items.length === 0 && (
        <p className="nothing-yet">
          None yet. Make one above, and paste the configuration into your program.
        </p>
      )}
      <ul className="holdings" aria-label="Your tokens" hidden={!data?.items.length}>
        {data?.items.map((one) => (
          <HeldLine
            key={one.access_token_id}
            held={one}
            onRevoke={() => act({ access_token_id: one.access_token_id })}
          >
            <p>Whatever connects with it is refused at once. It cannot be brought back.</p>
          </HeldLine>
        ))}
      </ul>
    </Group>
  )
}
