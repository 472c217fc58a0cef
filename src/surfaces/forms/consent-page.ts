import type { ConsentOptions, ConsentRequest } from '../authorization-service.ts'
import { type Html, html } from '../html.ts'
import { say, sayHtml } from '../language.ts'
import { COMMAND_LINE_DURATION, DEFAULT_DURATION, durations, scopeText } from './consent-words.ts'
import { alert, allowFormAction, field, page, type Submitted } from './layout.ts'

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
    say('pages.allow_app', { name: request.client.name }),
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
<button name="answer" value="allow">${say('pages.allow')}</button>
<button class="quiet" name="answer" value="deny" formnovalidate>${say('pages.cancel')}</button>
</div>
</form>
</section>`,
    status,
  )
  if (formAction) allowFormAction(response, formAction)
  return response
}

const strong = (text: string) => html`<strong>${text}</strong>`

function introduction({ request, person, userCode }: ConsentView): Html {
  const { client, redirect_uri } = request
  return html`<p>${sayHtml('pages.wants_to_use', { app: strong(client.name), person: strong(person) })}</p>
<dl class="facts">
<div><dt>${say('pages.app')}</dt><dd>${client.host ? sayHtml('pages.verified', { host: strong(client.host) }) : say('pages.nothing_proves')}</dd></div>
${redirect_uri === null ? '' : html`<div><dt>${say('pages.returns_to')}</dt><dd>${destination(redirect_uri)}</dd></div>`}
${userCode ? html`<div><dt>${say('pages.code')}</dt><dd class="user-code">${userCode}</dd></div>` : ''}
</dl>
${warning(request, userCode)}`
}

/** Where the answer goes, as a person can recognize it. */
function destination(redirect_uri: string): Html {
  const { protocol, host } = new URL(redirect_uri)
  if (protocol === 'https:') return html`<strong>${host}</strong>`
  return protocol === 'http:'
    ? sayHtml('pages.program_on_your_computer', { host: strong(host) })
    : sayHtml('pages.app_that_opens_links', { protocol: strong(protocol) })
}

function warning({ redirect_uri }: ConsentRequest, userCode?: string): Html | string {
  if (userCode) return html`<p class="caution">${say('pages.continue_only_code')}</p>`
  return redirect_uri?.startsWith('https:')
    ? ''
    : html`<p class="caution">${say('pages.continue_only')}</p>`
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
        radio(
          'who',
          agent_id,
          sayHtml('pages.my_agent', { name: strong(name) }),
          identity === agent_id,
        ),
      )}
${radio('who', 'agent', say('pages.a_new_agent'), identity === 'agent', say('pages.a_new_agent_hint'))}
<div class="nested">
${field({ form: 'consent', name: 'name', label: say('pages.name_of_new_agent'), autocomplete: 'off', value: options.agentName }, submitted)}
${teamChoice(options, chosen)}
</div>`
    : ''
  return html`<fieldset><legend>${say('pages.it_works_as')}</legend>
${agents}
${radio('who', 'me', sayHtml('pages.me', { name: strong(person) }), identity === 'me', say('pages.me_hint'))}
</fieldset>`
}

function teamChoice({ teams }: ConsentOptions, chosen: URLSearchParams): Html {
  const [first] = teams
  if (teams.length === 1) return html`<input type="hidden" name="team" value="${first!.team_id}">`
  return select(
    'team',
    say('pages.its_team'),
    teams.map(({ team_id, name }) => [String(team_id), name]),
    chosen.get('team') ?? String(first!.team_id),
  )
}

function boardChoice({ boards }: ConsentOptions, chosen: URLSearchParams): Html | string {
  if (!boards.length) return ''
  const scope = chosen.get('boards') ?? 'all'
  const ids = chosen.getAll('board')
  const isOneTeam = new Set(boards.map(({ team_id }) => team_id)).size === 1
  return html`<fieldset><legend>${say('pages.boards')}</legend>
${radio('boards', 'all', say('pages.all_boards'), scope === 'all')}
${radio('boards', 'some', say('pages.only_these'), scope === 'some')}
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
  return html`<fieldset><legend>${say('pages.access')}</legend>
${radio('access', 'read', say('pages.read_only'), access === 'read')}
${isReadOnly ? '' : radio('access', 'change', say('pages.read_and_change'), access === 'change')}
<details><summary>${say('pages.permissions')}</summary>
<div class="nested">
${scopes.map((scope) => checkbox('scope', scope, scopeText(scope), picked.includes(scope)))}
</div>
</details>
</fieldset>`
}

function durationChoice({ client }: ConsentRequest, chosen: URLSearchParams): Html {
  const usual = client.client_id === 'cork' ? COMMAND_LINE_DURATION : DEFAULT_DURATION
  return select('days', say('pages.how_long'), durations(), chosen.get('days') ?? usual)
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
