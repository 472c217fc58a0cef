import type { Caller } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import type { TextKey } from '../../languages/index.ts'
import { html } from '../html.ts'
import { say, sayHtml } from '../language.ts'
import { allowFormAction, page, redirect } from './layout.ts'
import type { AddRoute } from './parts.ts'

/** What the browser posts to GitHub to create an app. */
export interface AppRequest {
  action: string
  manifest: object
  /** Null if GitHub cannot reach this server. */
  webhook: string | null
  permissions: Readonly<Record<string, string>>
}

/** What this page needs from code hosts. */
export interface GithubApps {
  request(setup: string, caller: Caller): AppRequest
}

/** Adds the page that explains what a GitHub App may do, and posts its manifest to GitHub. */
export function githubAppForm(apps: GithubApps, route: AddRoute) {
  route('GET', '/github-app', async ({ caller }, { request }) => {
    const { search, searchParams } = new URL(request.url)
    if (!caller) return redirect(`/sign-in?next=${encodeURIComponent(`/github-app${search}`)}`)
    const setup = searchParams.get('setup')
    if (!setup) throw fault.invalid('setup', 'required', 'The address lacks its setup')
    return githubAppPage(apps.request(setup, caller))
  })
}

const permissionText = (name: string): string => say(`pages.app_${name}` as TextKey)

function githubAppPage({ action, manifest, webhook, permissions }: AppRequest): Response {
  const { host, origin } = new URL(action)
  const strong = html`<strong>${host}</strong>`
  const response = page(
    say('pages.create_github_app'),
    html`<section class="card consent">
<p>${sayHtml('pages.app_is_created_at', { host: strong })}</p>
<h2>${say('pages.permissions')}</h2>
<dl class="facts">
${Object.entries(permissions).map(
  ([name, access]) =>
    html`<div><dt><code>${name}: ${access}</code></dt><dd>${permissionText(name)}</dd></div>
`,
)}</dl>
<p>${webhook === null ? say('pages.app_without_webhook') : sayHtml('pages.app_sends_events', { url: html`<code>${webhook}</code>` })}</p>
<p class="hint">${say('pages.app_is_installed_next')}</p>
<form method="post" action="${action}">
<input type="hidden" name="manifest" value="${JSON.stringify(manifest)}">
<div class="actions"><button>${say('pages.continue_at', { host })}</button></div>
</form>
</section>`,
  )
  allowFormAction(response, origin)
  return response
}
