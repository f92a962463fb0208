import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ZxcvbnFactory } from '@zxcvbn-ts/core'

/*
 * Danish and Swedish words common in passwords, most frequent first: greetings, words for a password, places, seasons,
 * months, days, names, animals, colours, food, clubs and office terms. The password library has no such dictionaries.
 */

const danish = `velkommen kodeord adgangskode adgang hemmelig hemmeligt login danmark koebenhavn københavn dansk danske
sommer vinter efterår forår januar februar marts april maj juni juli august september oktober november december mandag
tirsdag onsdag torsdag fredag lørdag søndag skat skatter elsker elskerdig kærlighed jegelskerdig hejsa hejmeddig hejhej
goddag godmorgen farvel familie familien mormor morfar farmor farfar mormor søster bror datter veninde kæreste venner
lykke lykkelig solskin blomst blomster fodbold håndbold brøndby fckøbenhavn midtjylland aarhus århus odense aalborg
ålborg esbjerg randers kolding horsens vejle roskilde herning silkeborg viborg helsingør fredericia sønderborg jylland
sjælland fyn bornholm grønland færøerne amager frederiksberg nørrebro østerbro vesterbro dannebrog kongen dronning
hest heste hund hunde hvalp kat katte killing kanin fugl mus løve tiger elefant bjørn ulv fisk rød grøn blå gul sort hvid
lilla orange lyserød pizza kaffe smørrebrød lakrids chokolade slik jordbær banan æble øl tuborg carlsberg lego legoland
tivoli andersen jensen nielsen hansen pedersen christensen larsen sørensen rasmussen jørgensen petersen madsen
kristensen olsen thomsen christiansen poulsen johansen møller mortensen peter michael jens lars henrik thomas søren jan
christian martin niels anders morten jesper mads rasmus mikkel kasper frederik oliver emil noah william oscar victor
anne mette hanne helle susanne lene marianne inger kirsten maria camilla louise charlotte pernille tina christina
katrine sofie emma freja ida clara laura mathilde julie firma firmaet kontor kontoret faktura fakturaer betaling
betalinger betalingsservice leverandørservice opkrævning kunde kunder konto bank banken penge regnskab bogholderi økonomi
afdeling medarbejder virksomhed forsyning fjernvarme elnet skole skolen arbejde computer internet telefon mobil test
tester prøve ændre ændremig nykode nytkodeord standard midlertidig første bruger brugernavn administrator sikker
sikkerhed mitkodeord minkode sesam lukop fest ferie jul julemand påske nytår fødselsdag lørdagsslik hygge tak tusindtak
selvfølgelig ligemeget fuck lort helvede satan gud jesus himmel engel djævel drage ridder prinsesse stjerne måne sol hav`

const swedish = `välkommen lösenord hemlig hemligt inloggning sverige svensk svenska stockholm göteborg malmö uppsala
västerås örebro linköping helsingborg jönköping norrköping lund umeå gävle borås sommar vinter höst vår januari februari
mars april maj juni juli augusti september oktober november december måndag tisdag onsdag torsdag fredag lördag söndag
älskar älskardig jagälskardig kärlek hejsan hejhej hejpådig godmorgon hejdå familj familjen mormor morfar farmor farfar
syster bror dotter vänner pojkvän flickvän lycka lycklig solsken blomma blommor fotboll ishockey hammarby djurgården aik
ifkgöteborg elfsborg häst hästar hund hundar valp katt katter kattunge kanin fågel lejon elefant björn varg fisk röd grön
blå gul svart vit lila rosa kaffe choklad godis jordgubbe banan äpple köttbullar volvo saab ikea andersson johansson
karlsson nilsson eriksson larsson olsson persson svensson gustafsson pettersson jonsson jansson hansson bengtsson lars
anders mikael johan erik karl peter thomas jan daniel fredrik andreas stefan magnus henrik mattias anna eva maria karin
kristina lena kerstin sara emma elin malin jenny linda johanna sofia ida alice maja företag företaget kontor kontoret
faktura fakturor betalning betalningar autogiro kund kunder konto bank banken pengar ekonomi bokföring avdelning
personal skola skolan arbete dator internet telefon mobil test ändra ändramig nyttlösenord tillfällig första användare
användarnamn administratör säker säkerhet mittlösenord sesam fest semester jul jultomten påsk nyår födelsedag midsommar
fika lagom tack tacksåmycket självklart fan jävla helvete gud himmel ängel drake riddare prinsessa stjärna måne sol hav`

/** Transcriptions used on keyboards without the letter. */
const spellings: readonly [letter: RegExp, others: readonly string[]][] = [
  [/[æä]/gu, ['ae', 'a', 'e']],
  [/[øö]/gu, ['oe', 'o']],
  [/å/gu, ['aa', 'a', 'o']],
]

function listSpellings(word: string): string[] {
  return spellings.reduce<string[]>(
    (words, [letter, others]) => [
      ...words,
      ...others.flatMap((other) => words.map((one) => one.replace(letter, other))),
    ],
    [word],
  )
}

/** The words, unique and in lower case, including transcriptions of æ, ø, å, ä and ö. */
export function listCommonWords(): Record<string, string[]> {
  const list = (text: string) => [...new Set(text.split(/\s+/u).flatMap(listSpellings))]
  return { 'commonWords-da': list(danish), 'commonWords-sv': list(swedish) }
}

/**
 * Minimum number of guesses as a power of ten: about zxcvbn's score 3 of 4, and what eight random characters need. Less
 * means a common word or name, a keyboard row, a date, a sequence or a repetition, or little more than one of them.
 */
const MIN_GUESSES_LOG10 = 8
/** zxcvbn's work grows at least quadratically with the length, most of all for substitutions such as `4$$1|`. */
const MAX_PART_LENGTH = 16
/** Guesses that an inserted mark adds, as a power of ten: few marks, few places. */
const GUESSES_LOG10_PER_MARK = 1
/** Shorter names occur in too many other words. */
const MIN_NAME_LENGTH = 4

let loading: Promise<ZxcvbnFactory> | undefined

/** Loads a megabyte of dictionaries with the first chosen password, which no start or page waits for. */
async function load(): Promise<ZxcvbnFactory> {
  const [core, { adjacencyGraphs, dictionary }, german] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-de'),
  ])
  const { commonWords, firstnames, lastnames } = german.dictionary
  return new core.ZxcvbnFactory({
    dictionary: {
      ...dictionary,
      'commonWords-de': commonWords,
      'firstnames-de': firstnames,
      'lastnames-de': lastnames,
      ...listCommonWords(),
    },
    graphs: adjacencyGraphs,
    l33tMaxSubstitutions: 10,
  })
}

/** Splits a text into parts to be rated separately; a repeated text counts once. */
function splitText(text: string): string[] {
  const characters = Array.from(/^(.+?)\1+$/su.exec(text)?.[1] ?? text)
  return Array.from({ length: Math.ceil(characters.length / MAX_PART_LENGTH) }, (_, index) =>
    characters.slice(index * MAX_PART_LENGTH, (index + 1) * MAX_PART_LENGTH).join(''),
  )
}

/** The names in the context, whole and word by word, longest first. */
function listNames(context: readonly string[]): string[] {
  const parts = context.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])
  return [...new Set(parts.map((part) => part.toLowerCase()))]
    .filter((part) => part.length >= MIN_NAME_LENGTH)
    .toSorted((one, other) => other.length - one.length)
}

/** A password without the names it contains, and the first of those; null without any. */
function removeNames(password: string, names: readonly string[]): { rest: string; name: string } | null {
  let rest = password.toLowerCase()
  const found = names.filter((name) => {
    const isContained = rest.includes(name)
    if (isContained) rest = rest.replaceAll(name, '')
    return isContained
  })
  const [name] = found
  return name === undefined ? null : { rest, name }
}

/**
 * Why a password, in NFKC, is too easy to guess for somebody who knows the `context`: the e-mail address, the merchants'
 * names and the service's (NIST SP 800-63B, 5.1.1.2: commonly used, repetitive, sequential, context-specific). A long
 * password is as strong as its strongest part, and names from the context count for nothing. `name` is the one it is
 * built on, null if it is weak by itself. Null for a strong password.
 */
export async function findWeakness(
  password: string,
  context: readonly string[],
): Promise<{ name: string | null } | null> {
  const zxcvbn = await (loading ??= load())
  const names = listNames(context)
  const rate = async (text: string) => {
    // Yields to other requests between two ratings.
    await nextTurn()
    return text === '' ? 0 : zxcvbn.check(text, names).guessesLog10
  }
  const isStrong = async (part: string) => {
    if ((await rate(part)) < MIN_GUESSES_LOG10) return false
    // zxcvbn rates `admin@123` higher than `admin123`, which guessers don't.
    const bare = part.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '')
    const marks = Array.from(part).length - Array.from(bare).length
    return marks === 0 || (await rate(bare)) + marks * GUESSES_LOG10_PER_MARK >= MIN_GUESSES_LOG10
  }
  const isWeak = async (text: string) => {
    for (const part of splitText(text)) if (await isStrong(part)) return false
    return true
  }
  const named = removeNames(password, names)
  if (named && (await isWeak(named.rest))) return { name: named.name }
  return (await isWeak(password)) ? { name: null } : null
}
