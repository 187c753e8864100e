// Search by names in any language that forgives typing errors.

const EASY = 5; // letters from which one error is forgiven
const LONG = 9; // letters from which two are

const folded = (text) =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[\s'’\-.,:·「」・]/g, "");

/** The least number of letters to change, add or leave out until `wanted` is a part of `name`. */
function errorsIn(name, wanted) {
  let row = new Array(name.length + 1).fill(0);
  for (let i = 1; i <= wanted.length; i++) {
    const next = [i];
    for (let j = 1; j <= name.length; j++) {
      const same = wanted[i - 1] === name[j - 1] ? 0 : 1;
      next[j] = Math.min(row[j - 1] + same, row[j] + 1, next[j - 1] + 1);
    }
    row = next;
  }
  return Math.min(...row);
}

/** The items that a name of theirs fits, with the errors in what was typed: [{each, errors}], the best first. */
export function ranked(items, names, typed) {
  const wanted = folded(typed);
  const most = wanted.length >= LONG ? 2 : wanted.length >= EASY ? 1 : 0;
  const fit = (name) => ({ errors: name.includes(wanted) ? 0 : errorsIn(name, wanted), long: name.length });
  const better = (a, b) => a.errors - b.errors || a.long - b.long;
  const found = items.map((each) => {
    const [best] = names(each)
      .map((name) => fit(folded(name)))
      .sort(better);
    return { each, ...best };
  });
  return found.filter(({ errors }) => errors <= most).sort(better);
}
