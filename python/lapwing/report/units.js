// Numbers with units, as in the tables of the command line.
const short = (value) => {
  if (Math.abs(value) >= 99.95) return value.toFixed(0);
  return String(Number(value.toPrecision(3)));
};
const inUnits = (value, units) => {
  const [name, worth] = units.find(([, worth]) => Math.abs(value) >= 0.9995 * worth) || units.at(-1);
  return `${short(value / worth)} ${name}`;
};
const TIMES = [["s", 1], ["ms", 1e-3], ["us", 1e-6], ["ns", 1e-9]];
const SIZES = [["TB", 2 ** 40], ["GB", 2 ** 30], ["MB", 2 ** 20], ["KB", 2 ** 10], ["B", 1]];
const RATES = [["GB/s", 1e9], ["MB/s", 1e6], ["KB/s", 1e3], ["B/s", 1]];
const show = (value, unit) => {
  if (unit === "share") return `${Number((100 * value).toPrecision(3))} %`;
  if (unit === "count") return value >= 1e4 ? Math.round(value).toLocaleString("en") : short(value);
  if (value === 0) return unit === "bytes" ? "0 B" : "0";
  return inUnits(value, { seconds: TIMES, bytes: SIZES, rate: RATES }[unit]);
};
