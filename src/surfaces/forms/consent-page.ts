import type { ConsentOptions, ConsentRequest } from '../authorization-service.ts'
import { type Html, html } from '../html.ts'
import { COMMAND_LINE_DURATION, DEFAULT_DURATION, DURATIONS, SCOPE_WORDS } from './consent-words.ts'
import { alert, field, page, type Submitted } from './layout.ts'

export interface ConsentView {
  request: ConsentRequest
  options: ConsentOptions
  /** The request in a form that only this server can make. */
  sealed: string
  /** The name of the signed-in person. */
  person: string
  /** The code that the device shows, if a device asks. */
  userCode?: string | undefined
  /** The address that the policy of the page must let its form redirect to. */
  formAction?: string | undefined
}

/** The page on which a person allows an app to use Corkboard. */
export function consentPage(view: ConsentView, status = 200, submitted?: Submitted): Response {
  const { request, options, sealed, formAction } = view
  const chosen = submitted?.values ?? new URLSearchParams()
  const response = page(
    `Allow ${request.client.name}?`,
    html`<section class="card consent">
${introduction(view)}
<form method="post" action="/oauth/consent">
${alert('consent', ['name'], submitted)}
<input type="hidden" name="request" value="${sealed}">
<input type="hidden" name="code" value="${view.userCode}">
${identityChoice(view, chosen, submitted)}
${boardChoice(options, chosen)}
${scopeChoice(request, chosen)}
${durationChoice(request, chosen)}
<div class="actions">
<button name="answer" value="allow">Allow</button>
<button class="quiet" name="answer" value="deny" formnovalidate>Cancel</button>
</div>
</form>
</section>`,
    status,
  )
  if (formAction) allowFormAction(response, formAction)
  return response
}

/** Browsers apply `form-action` to the redirect that follows a form, too. */
function allowFormAction({ headers }: Response, source: string) {
  const policy = headers.get('content-security-policy')!
  headers.set(
    'content-security-policy',
    policy.replace("form-action 'self'", `form-action 'self' ${source}`),
  )
}

function introduction({ request, person, userCode }: ConsentView): Html {
  const { client, redirect_uri } = request
  return html`<p><strong>${client.name}</strong> wants to use Corkboard. You are signed in as
<strong>${person}</strong>.</p>
<dl class="facts">
<div><dt>App</dt><dd>${client.host ? html`<strong>${client.host}</strong> (verified)` : 'Nothing proves who made it'}</dd></div>
${redirect_uri === null ? '' : html`<div><dt>Returns to</dt><dd>${destination(redirect_uri)}</dd></div>`}
${userCode ? html`<div><dt>Code</dt><dd class="user-code">${userCode}</dd></div>` : ''}
</dl>
${warning(request, userCode)}`
}

/** Where the answer goes, as a person can recognize it. */
function destination(redirect_uri: string): Html {
  const { protocol, host } = new URL(redirect_uri)
  if (protocol === 'https:') return html`<strong>${host}</strong>`
  return protocol === 'http:'
    ? html`<strong>${host}</strong>, a program on your computer`
    : html`an app on your computer that opens <strong>${protocol}</strong> links`
}

function warning({ redirect_uri }: ConsentRequest, userCode?: string): Html | string {
  if (userCode)
    return html`<p class="caution">Continue only if you started this yourself and your device shows
this code. Never enter a code that somebody sent you.</p>`
  return redirect_uri?.startsWith('https:')
    ? ''
    : html`<p class="caution">Any program on your computer could use this name. Continue only if you
started this yourself a moment ago.</p>`
}

const radio = (
  name: string,
  value: string,
  label: Html | string,
  isChecked: boolean,
  hint = '',
) => {
  const id = `${name}-${value.replace(/\W/g, '-')}`
  return html`<div class="choice">
<input type="radio" id="${id}" name="${name}" value="${value}"${isChecked ? html` checked` : ''}${hint ? html` aria-describedby="${id}-hint"` : ''}>
<label for="${id}">${label}</label>
${hint ? html`<p class="hint" id="${id}-hint">${hint}</p>` : ''}
</div>`
}

const checkbox = (name: string, value: string, label: Html | string, isChecked: boolean) => {
  const id = `${name}-${value.replace(/\W/g, '-')}`
  return html`<div class="choice">
<input type="checkbox" id="${id}" name="${name}" value="${value}"${isChecked ? html` checked` : ''}>
<label for="${id}">${label}</label>
</div>`
}

/** Programs on a computer work by themselves, so they become agents unless the person decides. */
function defaultIdentity({ request, options }: ConsentView): string {
  const isProgram =
    request.client.client_id !== 'cork' && !request.redirect_uri?.startsWith('https:')
  if (!isProgram || !options.teams.length) return 'me'
  return options.agents[0]?.agent_id ?? 'agent'
}

function identityChoice(view: ConsentView, chosen: URLSearchParams, submitted?: Submitted): Html {
  const { options, person } = view
  const identity = chosen.get('who') ?? defaultIdentity(view)
  const agents = options.teams.length
    ? html`${options.agents.map(({ agent_id, name }) =>
        radio('who', agent_id, html`My agent <strong>${name}</strong>`, identity === agent_id),
      )}
${radio('who', 'agent', 'A new agent of mine', identity === 'agent', 'Its changes carry its own name. You can pause it, limit it and set a budget.')}
<div class="nested">
${field({ form: 'consent', name: 'name', label: 'Name of the new agent', autocomplete: 'off', value: options.agentName }, submitted)}
${teamChoice(options, chosen)}
</div>`
    : ''
  return html`<fieldset><legend>It works as</legend>
${agents}
${radio('who', 'me', html`Me, <strong>${person}</strong>`, identity === 'me', 'Its changes look like yours.')}
</fieldset>`
}

function teamChoice({ teams }: ConsentOptions, chosen: URLSearchParams): Html {
  const [first] = teams
  if (teams.length === 1) return html`<input type="hidden" name="team" value="${first!.team_id}">`
  return select(
    'team',
    'Its team',
    teams.map(({ team_id, name }) => [String(team_id), name]),
    chosen.get('team') ?? String(first!.team_id),
  )
}

function boardChoice({ boards }: ConsentOptions, chosen: URLSearchParams): Html | string {
  if (!boards.length) return ''
  const scope = chosen.get('boards') ?? 'all'
  const ids = chosen.getAll('board')
  const isOneTeam = new Set(boards.map(({ team_id }) => team_id)).size === 1
  return html`<fieldset><legend>Boards</legend>
${radio('boards', 'all', 'All boards that I see', scope === 'all')}
${radio('boards', 'some', 'Only these:', scope === 'some')}
<div class="nested list">
${boards.map(({ project_id, title, team }) =>
  checkbox(
    'board',
    String(project_id),
    isOneTeam ? title : `${title} (${team})`,
    ids.includes(String(project_id)),
  ),
)}
</div>
</fieldset>`
}

function scopeChoice({ scopes }: ConsentRequest, chosen: URLSearchParams): Html {
  const isReadOnly = scopes.every((scope) => scope.endsWith(':read'))
  const access = chosen.get('access') ?? (isReadOnly ? 'read' : 'change')
  const picked = chosen.has('access') ? chosen.getAll('scope') : scopes
  return html`<fieldset><legend>Access</legend>
${radio('access', 'read', 'Read only', access === 'read')}
${isReadOnly ? '' : radio('access', 'change', 'Read and change', access === 'change')}
<details><summary>Permissions</summary>
<div class="nested">
${scopes.map((scope) => checkbox('scope', scope, SCOPE_WORDS[scope], picked.includes(scope)))}
</div>
</details>
</fieldset>`
}

function durationChoice({ client }: ConsentRequest, chosen: URLSearchParams): Html {
  const usual = client.client_id === 'cork' ? COMMAND_LINE_DURATION : DEFAULT_DURATION
  return select('days', 'How long', DURATIONS, chosen.get('days') ?? usual)
}

const select = (
  name: string,
  label: string,
  choices: readonly (readonly [string, string])[],
  selected: string,
) => html`<div class="field">
<label for="consent-${name}">${label}</label>
<select id="consent-${name}" name="${name}">
${choices.map(
  ([value, words]) =>
    html`<option value="${value}"${value === selected ? html` selected` : ''}>${words}</option>
`,
)}</select>
</div>`
