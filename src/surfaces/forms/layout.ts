import { FAULTS, type Fault } from '../../kernel/fault.ts'
import { STATUS, type Visit } from '../door.ts'
import { type Html, html } from '../html.ts'

/** Nothing runs and nothing is loaded but what draws the page; addresses may hold secrets. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'cache-control': 'no-store',
  // Not no-referrer, which would have browsers send "Origin: null" with our own forms.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

/** One thing to do, in the middle. */
export const page = (title: string, body: Html, status = 200): Response =>
  new Response(
    html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Corkboard</title>
<link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="/look.css">
<link rel="stylesheet" href="/forms.css">
</head>
<body class="entry">
<header><a class="brand" href="/">Corkboard</a></header>
<main>
<h1>${title}</h1>
${body}
</main>
<footer><a href="/docs/manual">Manual</a> <a href="/docs">API</a></footer>
</body>
</html>
`.text,
    { status, headers: HEADERS },
  )

export const redirect = (location: string): Response =>
  new Response(null, {
    status: 303,
    headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'same-origin' },
  })

/** What somebody sent, and why it was refused. */
export interface Entered {
  form: string
  values: URLSearchParams
  refused: Fault
}

interface Field {
  form: string
  name: string
  label: string
  type?: 'text' | 'email' | 'password'
  autocomplete: string
  value?: string
  hint?: string
  /** Where one begins to type. */
  first?: true
}

const MOST: Record<string, number> = { email: 254, password: 200, text: 200 }

/** A labelled input; what was entered stays, passwords excepted, with what is wrong beside it. */
export function field({ form, name, label, type = 'text', ...more }: Field, entered?: Entered) {
  const id = `${form}-${name}`
  const mine = entered?.form === form ? entered : undefined
  const error =
    mine && mine.refused.details.field === name ? worded(mine.refused, name, label) : undefined
  const value = type === 'password' ? '' : (mine?.values.get(name) ?? more.value ?? '')
  // What is wrong is mended first.
  const begins = error ?? (more.first && !mine?.refused.details.field)
  const notes = [more.hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return html`<div class="field">
<label for="${id}">${label}</label>
<input id="${id}" name="${name}" type="${type}" value="${value}" maxlength="${MOST[type]}"
 autocomplete="${more.autocomplete}" required${begins ? html` autofocus` : ''}${notes ? html` aria-describedby="${notes}"` : ''}${
   error ? html` aria-invalid="true"` : ''
 }>
${more.hint ? html`<p class="hint" id="${id}-hint">${more.hint}</p>` : ''}
${error ? html`<p class="error" id="${id}-error">${error}</p>` : ''}
</div>`
}

/** What is wrong with a form as a whole, or with a field that it does not show. */
export function alert(form: string, names: readonly string[], entered?: Entered): Html | undefined {
  if (entered?.form !== form || names.includes(entered.refused.details.field ?? ''))
    return undefined
  return html`<p class="alert" role="alert">${said(entered.refused)}</p>`
}

/** In the words of the page: programs know the field by its name, people by its label. */
const worded = (refused: Fault, name: string, label: string) =>
  said(refused).replace(new RegExp(`^${name} `), `${label} `)

export const said = ({ message, hint }: Fault) => (hint ? `${message}. ${hint}.` : `${message}.`)

/** A refusal that no form can show beside a field. */
export const refusalPage = (refused: Fault, { requestId }: Visit): Response =>
  page(
    FAULTS[refused.code],
    html`<p class="alert" role="alert">${said(refused)}</p>
<p><a href="/">Go to the start</a></p>
<p class="hint">Request ${requestId}</p>`,
    STATUS[refused.code],
  )
