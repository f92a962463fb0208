import { getLanguage } from '@/lib/language/runtime'
import * as m from '@/lib/messages/m'

/** A link of a mail; its address is the desk's own. */
type MailLink = { label: string; address: string }

/** What a mail says, in one language. `setting` leads to where it can be turned off or acted upon. */
export type MailText = {
  subject: string
  paragraphs: readonly string[]
  action: MailLink
  /** What it is about, one by one. */
  items?: readonly MailLink[]
  footer: string
  setting: MailLink
}

function writeText({ paragraphs, action, items = [], footer, setting }: MailText): string {
  const parts = [
    ...paragraphs,
    ...(items.length > 0 ? [items.map(({ label, address }) => `${label}\n${address}`).join('\n')] : []),
    `${action.label}:\n${action.address}`,
    `-- \n${footer}\n${setting.label}: ${setting.address}`,
  ]
  return `${parts.join('\n\n')}\n`
}

function escape(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return text.replaceAll(/[&<>"']/gu, (character) => entities[character] ?? character)
}

function writeLink({ label, address }: MailLink, style = ''): string {
  return `<a href="${escape(address)}"${style && ` style="${style}"`}>${escape(label)}</a>`
}

const button =
  'display:inline-block;padding:10px 18px;border-radius:6px;background:#1d4ed8;color:#ffffff;text-decoration:none;font-weight:600'

function writeHtml({ subject, paragraphs, action, items = [], footer, setting }: MailText): string {
  const lines = [
    '<!doctype html>',
    `<html lang="${getLanguage()}"><head><meta charset="utf-8"><title>${escape(subject)}</title></head>`,
    '<body style="margin:0;padding:24px;background:#f6f7f9;color:#16181d;font:16px/1.5 system-ui,sans-serif">',
    '<div style="max-width:34rem;margin:0 auto;padding:24px;background:#ffffff;border:1px solid #dfe2e8;border-radius:8px">',
    `<h1 style="margin:0 0 12px;font-size:20px">${escape(subject)}</h1>`,
    ...paragraphs.map((paragraph) => `<p>${escape(paragraph)}</p>`),
    ...(items.length > 0 ? [`<ul>${items.map((item) => `<li>${writeLink(item)}</li>`).join('')}</ul>`] : []),
    `<p>${writeLink(action, button)}</p>`,
    `<p style="font-size:13px;color:#565b66;overflow-wrap:anywhere">${escape(m.mail_orOpen())}<br>${escape(action.address)}</p>`,
    '<hr style="border:0;border-top:1px solid #dfe2e8">',
    `<p style="font-size:13px;color:#565b66">${escape(footer)}<br>${writeLink(setting)}</p>`,
    '</div></body></html>',
  ]
  return `${lines.join('\n')}\n`
}

/** The two forms of a mail. Everything is escaped: names are typed by people, ids come from the upstream API. */
export function layOut(mail: MailText): { subject: string; text: string; html: string } {
  return { subject: mail.subject, text: writeText(mail), html: writeHtml(mail) }
}
