import { FAULTS, Fault } from '../../kernel/fault.ts'
import { directionOf } from '../../languages/index.ts'
import { type RequestContext, STATUS } from '../gateway.ts'
import { type Html, html } from '../html.ts'
import { localFault, pageLanguage, say } from '../language.ts'
import { ownPage } from '../own-page.ts'

/** Only styles and images of this server, and scripts only where needed. Addresses may contain secrets. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  // With no-referrer, browsers would send "Origin: null" with our own forms.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

const POLICY =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
const SCRIPT_POLICY = `${POLICY}; script-src 'self'; connect-src 'self'`

interface PageOptions {
  /** Whether the page has the script for passkeys. It works without, too. */
  hasScript?: boolean
}

/** The layout of all these pages. */
export const page = (
  title: string,
  body: Html,
  status = 200,
  { hasScript = false }: PageOptions = {},
): Response =>
  ownPage(
    new Response(
      html`<!doctype html>
<html lang="${pageLanguage()}" dir="${directionOf(pageLanguage())}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Corkboard</title>
<link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="/look.css">
<link rel="stylesheet" href="/forms.css">${
        hasScript
          ? html`
<script src="/passkeys.js" type="module"></script>`
          : ''
      }
</head>
<body class="entry">
<header><a class="brand" href="/">Corkboard</a></header>
<main>
<h1>${title}</h1>
${body}
</main>
<footer><a href="/docs/manual">${say('pages.manual')}</a> <a href="/docs">API</a></footer>
</body>
</html>
`.text,
      {
        status,
        headers: { ...HEADERS, 'content-security-policy': hasScript ? SCRIPT_POLICY : POLICY },
      },
    ),
  )

/** Browsers apply `form-action` to the redirect that follows a form, too. */
export function allowFormAction({ headers }: Response, source: string) {
  const policy = headers.get('content-security-policy')!
  headers.set(
    'content-security-policy',
    policy.replace("form-action 'self'", `form-action 'self' ${source}`),
  )
}

export const redirect = (location: string): Response =>
  new Response(null, {
    status: 303,
    headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'same-origin' },
  })

/** A refused form: its values and the error. */
export interface Submitted {
  form: string
  values: URLSearchParams
  fault: Fault
}

interface Field {
  form: string
  name: string
  label: string
  type?: 'text' | 'email' | 'password'
  autocomplete: string
  value?: string
  hint?: string
  /** Whether the field has the focus at first. */
  first?: true
}

const MAX_LENGTHS: Record<string, number> = { email: 254, password: 200, text: 200 }

/** A labelled input with its error. It keeps the submitted value, unless it is a password. */
export function field(
  { form, name, label, type = 'text', ...options }: Field,
  submitted?: Submitted,
) {
  const id = `${form}-${name}`
  const own = submitted?.form === form ? submitted : undefined
  const error =
    own && own.fault.details.field === name ? faultTextFor(own.fault, name, label) : undefined
  const value = type === 'password' ? '' : (own?.values.get(name) ?? options.value ?? '')
  // A field with an error gets the focus.
  const hasFocus = error ?? (options.first && !own?.fault.details.field)
  const notes = [options.hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return html`<div class="field">
<label for="${id}">${label}</label>
<input id="${id}" name="${name}" type="${type}" value="${value}" maxlength="${MAX_LENGTHS[type]}"
 autocomplete="${options.autocomplete}" required${hasFocus ? html` autofocus` : ''}${notes ? html` aria-describedby="${notes}"` : ''}${
   error ? html` aria-invalid="true"` : ''
 }>
${options.hint ? html`<p class="hint" id="${id}-hint">${options.hint}</p>` : ''}
${error ? html`<p class="error" id="${id}-error">${error}</p>` : ''}
</div>`
}

/** The error of a form, unless it belongs to one of the fields shown. */
export function alert(
  form: string,
  names: readonly string[],
  submitted?: Submitted,
): Html | undefined {
  if (submitted?.form !== form || names.includes(submitted.fault.details.field ?? ''))
    return undefined
  return html`<p class="alert" role="alert">${faultText(submitted.fault)}</p>`
}

/** The error of a field, with the label that people see instead of the field name. */
const faultTextFor = (fault: Fault, name: string, label: string) =>
  faultText(fault).replace(new RegExp(`^${name} `), `${label} `)

export const faultText = (fault: Fault) => {
  const { message, hint } = localFault(fault)
  return hint ? `${message}. ${hint}.` : `${message}.`
}

const localTitle = ({ code }: Fault) => localFault(new Fault(code, FAULTS[code])).message

/** A page for errors that belong to no form. */
export const refusalPage = (fault: Fault, { requestId }: RequestContext): Response =>
  page(
    localTitle(fault),
    html`<p class="alert" role="alert">${faultText(fault)}</p>
<p><a href="/">${say('pages.go_home')}</a></p>
<p class="hint">${say('pages.request_id', { id: requestId })}</p>`,
    STATUS[fault.code],
  )
