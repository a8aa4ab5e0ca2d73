"""torch.distributions: what building one, drawing from it and asking it takes: usage: distributions.py OUTFILE SECONDS [PART OF]

Rows are functions.py's. What is drawn is not compared, so that rows with draws have random true."""
import sys, os
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from measured import *
import torch.distributions as D, torch.nn.functional as F

Q = []
def q(inputs, *expressions, random=False):
    for e in expressions: Q.append((e, list(inputs), random))
def of(inputs, make, value, *more, sample='rsample', no=()):
    """The usual questions to one distribution"""
    q(inputs, *[f'{make}.{m}' for m in ('entropy()', 'mean', 'variance', 'stddev', 'mode') if m not in no], *([f'{make}.log_prob({value})'] if value else []), *[m.replace('@', make) for m in more])
    q(inputs, f'{make}.sample()', f'{make}.sample((3,))', *([f'{make}.rsample()', f'{make}.rsample((3,))'] if sample == 'rsample' else []), *([f'(lambda d: d.log_prob(d.{sample}()))({make})'] if value else []), random=True)

N4 = ['f 64 40', 'p 64 40', 'f 64 40', 'p 64 40']
of(N4, 'D.Normal(a, b)', 'c', '@.cdf(c)', '@.icdf(b * .5)', 'D.kl_divergence(@, D.Normal(c, d))', '@.scale', 'D.Normal(a, b, validate_args=False).log_prob(c)', 'D.Normal(a, 1.).log_prob(c)', 'D.Normal(0., b).log_prob(c)', 'D.Normal(a, torch.ones_like(a)).log_prob(c).sum(-1)', '@.expand((5, 64, 40)).log_prob(c)')
of(N4, 'D.Independent(D.Normal(a, b), 1)', 'c', 'D.kl_divergence(@, D.Independent(D.Normal(c, d), 1))', no=('mode',))
of(N4, 'D.LogNormal(a, b)', 'd', '@.cdf(d)', 'D.kl_divergence(@, D.LogNormal(c, d))')
of(N4, 'D.Laplace(a, b)', 'c', '@.cdf(c)', '@.icdf(b * .5)', 'D.kl_divergence(@, D.Laplace(c, d))')
of(N4, 'D.Cauchy(a, b)', 'c', '@.cdf(c)', 'D.kl_divergence(@, D.Cauchy(c, d))')
of(N4, 'D.Gumbel(a, b)', 'c', 'D.kl_divergence(@, D.Gumbel(c, d))', '@.cdf(c)')
of(['p 64 40', 'p 64 40', 'f 64 40', 'p 64 40'], 'D.HalfNormal(a)', 'b', 'D.kl_divergence(@, D.HalfNormal(b))', '@.cdf(b)'); of(['p 64 40', 'p 64 40'], 'D.HalfCauchy(a)', 'b', '@.cdf(b)', no=())
of(['f 64 40', 'p 64 40', 'u 64 40'], 'D.Uniform(a, a + 1)', 'a + c', '@.cdf(a + c)', '@.icdf(c)', 'D.kl_divergence(@, D.Uniform(a - 1, a + 2))', 'D.kl_divergence(@, D.Normal(a, b))', no=())
of(['p 64 40', 'p 64 40', 'p 64 40', 'u 64 40'], 'D.Exponential(a)', 'b', '@.cdf(b)', '@.icdf(d)', 'D.kl_divergence(@, D.Exponential(b))', 'D.kl_divergence(@, D.Gamma(b, c))')
of(['p 64 40', 'p 64 40', 'p 64 40', 'p 64 40'], 'D.Gamma(a, b)', 'c', '@.cdf(c.detach())', 'D.kl_divergence(@, D.Gamma(c, d))', 'D.Gamma(a, 1.).log_prob(c)')
of(['p 64 40', 'p 64 40', 'u 64 40', 'p 64 40'], 'D.Beta(a, b)', 'c', 'D.kl_divergence(@, D.Beta(d, a))', 'D.Beta(a, 2.).log_prob(c)')
of(['p 64 40', 'p 64 40', 'f 64 40'], 'D.Dirichlet(a)', 'c.softmax(-1)', 'D.kl_divergence(@, D.Dirichlet(b))')
of(['p 64 40', 'p 64 40'], 'D.Chi2(a)', 'b'); of(['p 64 40', 'f 64 40', 'p 64 40', 'f 64 40'], 'D.StudentT(a + 3, b, c)', 'd'); of(['p 64 40', 'p 64 40', 'u 64 40'], 'D.Weibull(a, b)', 'c', 'D.kl_divergence(@, D.Weibull(b, a))'); of(['p 64 40', 'p 64 40'], 'D.Pareto(a, b + 2)', 'a + 1'); of(['p 64 40', 'p 64 40', 'u 64 40'], 'D.Kumaraswamy(a, b)', 'c'); of(['p 64 40', 'p 64 40', 'u 64 40'], 'D.InverseGamma(a + 2, b)', 'c'); of(['u 64 40', 'u 64 40'], 'D.ContinuousBernoulli(a)', 'b', no=('mode',))
of(['p 64 40', 'i9 64 40', 'p 64 40'], 'D.Poisson(a)', 'b.float()', 'D.kl_divergence(@, D.Poisson(c))', sample='sample', no=('entropy()',))
of(['u 64 40', 'i9 64 40', 'u 64 40'], 'D.Geometric(a)', 'b.float()', 'D.kl_divergence(@, D.Geometric(c))', sample='sample'); of(['u 64 40', 'i9 64 40', 'u 64 40'], 'D.Binomial(9, a)', 'b.float()', 'D.kl_divergence(@, D.Binomial(9, c))', sample='sample'); of(['u 64 40', 'i9 64 40'], 'D.NegativeBinomial(5., a)', 'b.float()', sample='sample', no=('entropy()',))
B = ['f 64 40', 'f 64 40', 'f 64 40', 'u 64 40']
of(B, 'D.Bernoulli(logits=a)', '(b > 0).float()', 'D.kl_divergence(@, D.Bernoulli(logits=c))', '@.probs', sample='sample'); of(B, 'D.Bernoulli(d)', '(b > 0).float()', 'D.kl_divergence(@, D.Bernoulli(d * .5))', '@.logits', 'D.Bernoulli(a.sigmoid()).log_prob((b > 0).float())', sample='sample')
C = ['f 64 40', 'i40 64', 'f 64 40', 'u 64 40']
of(C, 'D.Categorical(logits=a)', 'b', 'D.kl_divergence(@, D.Categorical(logits=c))', '@.probs', '@.logits', 'D.Categorical(logits=a, validate_args=False).log_prob(b)', sample='sample'); of(C, 'D.Categorical(d)', 'b', 'D.kl_divergence(@, D.Categorical(logits=c))', '@.logits', 'D.Categorical(a.softmax(-1)).log_prob(b)', '@.probs', sample='sample')
of(C, 'D.OneHotCategorical(logits=a)', 'F.one_hot(b, 40).float()', 'D.kl_divergence(@, D.OneHotCategorical(logits=c))', sample='sample'); of(C, 'D.OneHotCategorical(d)', 'F.one_hot(b, 40).float()', sample='sample'); q(C, 'D.OneHotCategoricalStraightThrough(logits=a).rsample()', 'D.RelaxedOneHotCategorical(.5, logits=a).rsample()', 'D.RelaxedOneHotCategorical(.5, d).rsample()', 'D.RelaxedOneHotCategorical(torch.tensor(.5, device=a.device), logits=a).rsample()', 'D.RelaxedOneHotCategorical(torch.tensor(.5, device=a.device), logits=a).sample()', 'D.RelaxedBernoulli(torch.tensor(.5, device=a.device), logits=a).rsample()', 'D.RelaxedBernoulli(torch.tensor(.5, device=a.device), d).rsample()', 'D.Multinomial(7, logits=a).sample()', 'D.Multinomial(7, d).sample((2,))', 'D.LogisticNormal(a, d).rsample()', random=True)
q(C, 'D.RelaxedOneHotCategorical(torch.tensor(.5, device=a.device), logits=a).log_prob(c.softmax(-1))', 'D.RelaxedBernoulli(torch.tensor(.5, device=a.device), logits=a).log_prob(d)', 'D.Multinomial(7, logits=a).mean', 'D.Multinomial(7, logits=a).variance')
M = ['f 16 6', 'f 6 6', 'f 16 6', 'f 16 6 6']; S = 'b @ b.mT + torch.eye(6, device=a.device)'
for made in (f'D.MultivariateNormal(a, {S})', f'D.MultivariateNormal(a, scale_tril=torch.linalg.cholesky({S}))', f'D.MultivariateNormal(a, precision_matrix={S})', 'D.MultivariateNormal(a, d @ d.mT + torch.eye(6, device=a.device))', 'D.MultivariateNormal(a[0], torch.eye(6, device=a.device))', 'D.MultivariateNormal(a, torch.diag_embed(c.exp()))'):
    of(M, made, 'c', '@.covariance_matrix', '@.precision_matrix', '@.scale_tril', 'D.kl_divergence(@, D.MultivariateNormal(c, torch.eye(6, device=a.device)))')
of(['f 16 6', 'f 16 6 2', 'p 16 6', 'f 16 6'], 'D.LowRankMultivariateNormal(a, b, c)', 'd', '@.covariance_matrix')
T = 'D.TransformedDistribution(D.Normal(a, b), [D.TanhTransform()])'; T1 = 'D.TransformedDistribution(D.Normal(a, b), [D.TanhTransform(cache_size=1)])'
for made in (T, T1, 'D.TransformedDistribution(D.Normal(a, b), D.TanhTransform(cache_size=1))', 'D.Independent(' + T1 + ', 1)', 'D.TransformedDistribution(D.Independent(D.Normal(a, b), 1), [D.TanhTransform(cache_size=1)])', 'D.TransformedDistribution(D.Normal(a, b), [D.TanhTransform(cache_size=1), D.AffineTransform(.5, 2.)])', 'D.TransformedDistribution(D.Normal(a, b), [D.AffineTransform(.5, 2.)])', 'D.TransformedDistribution(D.Normal(a, b), [D.AffineTransform(c, d)])', 'D.TransformedDistribution(D.Normal(a, b), [D.SigmoidTransform()])', 'D.TransformedDistribution(D.Normal(a, b), [D.ExpTransform()])', 'D.TransformedDistribution(D.Uniform(torch.zeros_like(a), torch.ones_like(a)), [D.SigmoidTransform().inv, D.AffineTransform(a, b)])', 'D.TransformedDistribution(D.Normal(a, b), [D.SoftplusTransform()])', 'D.TransformedDistribution(D.Normal(a, b), [D.PowerTransform(torch.tensor(2., device=a.device))])', 'D.TransformedDistribution(D.Independent(D.Normal(a, b), 1), [D.StickBreakingTransform()])'):
    q(N4, f'{made}.sample()', f'{made}.rsample()', f'(lambda d: d.log_prob(d.rsample()))({made})', f'(lambda d: (lambda x: (d.log_prob(x), x))(d.rsample()))({made})', random=True)
    if not made.count('Exp') and not made.count('Softplus') and not made.count('Power') and not made.count('Stick') and not made.count('Uniform'): q(N4, f'{made}.log_prob(c * .9)' if 'Sigmoid' not in made else f'{made}.log_prob(c * .9 + .5)')
q(N4, 'D.MixtureSameFamily(D.Categorical(logits=a), D.Normal(c, b)).log_prob(c[:, 0])', 'D.MixtureSameFamily(D.Categorical(logits=a), D.Normal(c, b)).mean', 'D.MixtureSameFamily(D.Categorical(logits=a), D.Normal(c, b)).variance', 'D.MixtureSameFamily(D.Categorical(logits=a[0]), D.Independent(D.Normal(c.T.contiguous(), b.T.contiguous()), 1)).log_prob(c[:, 0])'); q(N4, 'D.MixtureSameFamily(D.Categorical(logits=a), D.Normal(c, b)).sample()', random=True)
# as people write them
q(N4, '(lambda d: -(d.log_prob(d.sample()) * c).mean())(D.Normal(a, b))', '(lambda d: d.log_prob(d.sample()).sum(-1) - .01 * d.entropy().sum(-1))(D.Normal(a, b))', '(lambda d: d.log_prob(d.sample()).sum(-1))(D.Normal(a, a.exp()))', 'D.kl_divergence(D.Normal(a, b), D.Normal(torch.zeros_like(a), torch.ones_like(b))).sum(-1).mean()', 'D.kl_divergence(D.Normal(a, b), D.Normal(0., 1.)).sum()', '(lambda d: (lambda x: (x, d.log_prob(x).sum(-1) - (2 * (.6931 - x - F.softplus(-2 * x))).sum(-1)))(d.rsample()))(D.Normal(a, b))', random=True)
q(C, '(lambda d: (-(d.log_prob(d.sample()) * c[:, 0]).mean(), d.entropy().mean()))(D.Categorical(logits=a))', '(lambda d: (-(d.log_prob(d.sample()) * c[:, 0]).mean()))(D.Categorical(a.softmax(-1)))', '(lambda d: d.log_prob(d.sample()).sum(-1))(D.Bernoulli(logits=a))', random=True)

def case(expression, ins, mode):
    dtype = dict(float16=torch.float16, bfloat16=torch.bfloat16).get(mode, torch.float32)
    def build():
        xs = [make(s, k + 1, mode != 'nograd', dtype) for k, s in enumerate(ins)]; names = dict(zip('abcd', xs)); code = compile(expression, expression, 'eval'); scope = dict(globals(), **names)
        return (lambda: eval(code, scope)), {k: v for k, v in names.items() if v.requires_grad}
    return build

if __name__ == '__main__':
    rows = Rows(sys.argv[1], float(sys.argv[2])); part, parts = (int(sys.argv[3]), int(sys.argv[4])) if len(sys.argv) > 4 else (0, 1)
    for k, (e, ins, random) in enumerate(Q):
        if k % parts == part:
            for mode in ('grad', 'nograd'): rows.add(f'{e}|{", ".join(ins)}|{mode}', case(e, ins, mode), None, mode != 'nograd', expression=e, inputs=ins, mode=mode, random=random)
    rows.end()
