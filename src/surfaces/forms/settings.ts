import { type Html, html } from '../html.ts'
import { alert, type Entered, field, page } from './layout.ts'

export interface Row {
  id: number
  name: string
  prefix?: string
  created_at: string
  expires_at: string | null
  last_used_at: string | null
  expired: boolean
}

/** A secret that was just made; it is on this page and nowhere else. */
export interface Fresh {
  kind: 'token' | 'key'
  secret: string
  /** Where an MCP client connects. */
  url?: string
}

export interface Settings {
  name: string
  email: string
  time_zone: string
  tokens: readonly Row[]
  keys: readonly Row[]
}

export const settingsPage = (
  settings: Settings,
  { fresh, entered, status = 200 }: { fresh?: Fresh; entered?: Entered; status?: number } = {},
): Response =>
  page(
    'Settings',
    html`${profile(settings)}
${tokens(settings, fresh, entered)}
${keys(settings, fresh, entered)}
${password(settings, entered)}`,
    status,
    'wide',
  )

const profile = ({ name, email }: Settings) => html`<section class="card between">
<p><strong>${name}</strong><br><span class="hint">${email}</span></p>
<form method="post" action="/sign-out"><button class="quiet">Sign out</button></form>
</section>`

const tokens = (
  settings: Settings,
  fresh?: Fresh,
  entered?: Entered,
) => html`<section class="card" id="tokens">
<h2>MCP</h2>
<p class="hint">An access token lets an assistant work in your name. It lasts 30 days.</p>
${fresh?.kind === 'token' ? freshToken(fresh) : ''}
${rows(settings.tokens, settings, '/settings/tokens')}
<form method="post" action="/settings/tokens">
${alert('tokens', ['name'], entered)}
${field(
  {
    form: 'tokens',
    name: 'name',
    label: 'Name of a new token',
    autocomplete: 'off',
    hint: 'Such as the assistant and the machine it runs on',
  },
  entered,
)}
<button>Make an access token</button>
</form>
</section>`

const keys = (
  settings: Settings,
  fresh?: Fresh,
  entered?: Entered,
) => html`<section class="card" id="keys">
<h2>API keys</h2>
<p class="hint">For programs and the command line. You can have 10 at a time.</p>
${fresh?.kind === 'key' ? freshKey(fresh) : ''}
${rows(settings.keys, settings, '/settings/keys')}
<form method="post" action="/settings/keys">
${alert('keys', ['name'], entered)}
${field({ form: 'keys', name: 'name', label: 'Name of a new key', autocomplete: 'off' }, entered)}
<div class="field">
<label for="keys-days">It lasts</label>
<select id="keys-days" name="days">
<option value="30">30 days</option>
<option value="90">90 days</option>
<option value="365">A year</option>
<option value="" selected>Until it is revoked</option>
</select>
</div>
<button>Make an API key</button>
</form>
</section>`

const password = (
  { email }: Settings,
  entered?: Entered,
) => html`<section class="card" id="password">
<h2>Password</h2>
<p class="hint">Changing it signs you out everywhere else.</p>
<form method="post" action="/settings/password">
<input name="username" autocomplete="username" value="${email}" hidden>
${alert('password', ['old_password', 'new_password'], entered)}
${field(
  {
    form: 'password',
    name: 'old_password',
    label: 'Present password',
    type: 'password',
    autocomplete: 'current-password',
  },
  entered,
)}
${field(
  {
    form: 'password',
    name: 'new_password',
    label: 'New password',
    type: 'password',
    autocomplete: 'new-password',
    hint: 'At least 10 characters',
  },
  entered,
)}
<button>Change the password</button>
</form>
</section>`

const ONCE = 'Copy it now: it is not shown again.'

const freshKey = ({ secret }: Fresh) => html`<div class="shown" role="status">
<h3>Your new API key</h3>
<p>${ONCE}</p>
<pre tabindex="0">${secret}</pre>
</div>`

function freshToken({ secret, url = '' }: Fresh) {
  const Authorization = `Bearer ${secret}`
  const server = { type: 'http', url, headers: { Authorization } }
  const configuration = JSON.stringify({ mcpServers: { corkboard: server } }, null, 2)
  const command = `claude mcp add --transport http corkboard ${url} --header "Authorization: ${Authorization}"`
  return html`<div class="shown" role="status">
<h3>Your new access token</h3>
<p>${ONCE}</p>
<pre tabindex="0">${secret}</pre>
<p>As a client configuration:</p>
<pre tabindex="0">${configuration}</pre>
<p>Or for Claude Code:</p>
<pre tabindex="0">${command}</pre>
</div>`
}

function rows(list: readonly Row[], { time_zone }: Settings, path: string): Html | undefined {
  if (!list.length) return undefined
  const day = (moment: string) =>
    new Date(moment).toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: time_zone })
  return html`<ul class="rows">${list.map(
    (row) => html`<li><span>${row.name}${row.prefix ? html` <code>${row.prefix}…</code>` : ''}
<small>made ${day(row.created_at)} · ${row.last_used_at ? `last used ${day(row.last_used_at)}` : 'never used'}${
      row.expires_at ? ` · ${row.expired ? 'expired' : 'expires'} ${day(row.expires_at)}` : ''
    }</small></span>
<form method="post" action="${path}/${row.id}/revoke"><button class="quiet" aria-label="Revoke ${row.name}">Revoke</button></form></li>`,
  )}</ul>`
}
